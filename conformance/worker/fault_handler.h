// Signals in the worker process: written to shared memory before they end it.
#ifndef POOLPROOF_CONFORMANCE_WORKER_FAULT_HANDLER_H_
#define POOLPROOF_CONFORMANCE_WORKER_FAULT_HANDLER_H_

#include "conformance/worker/shared_layout.h"

namespace poolproof::worker {

// From now on SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP and SIGSYS fill `record` (the first
// one wins) and then end the process as they would have done. The calling thread gets a signal
// stack, so that an overflow of its stack is recorded too.
void InstallFaultHandlers(FaultRecord* record);

}  // namespace poolproof::worker

#endif  // POOLPROOF_CONFORMANCE_WORKER_FAULT_HANDLER_H_
