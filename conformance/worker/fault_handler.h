// Signals in the worker process: faults are written to shared memory before they end it.
//
// A backend may have handlers of its own for them, as the runtimes of languages have. They are
// chained: sigaction, signal and their like are this program's here, for every library that is
// loaded, and keep the backend's handler beside ours. A fault at an address of the guarded memory is
// never theirs: it ends the process, as without them. Every other signal is.
#pragma once

#include <cstdint>

namespace poolproof::worker {

// From now on SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP and SIGSYS fill the WorkerBlock's
// record (the first one wins) and then end the process as they would have done. The calling thread gets a signal
// stack, so that an overflow of its stack is recorded too.
void InstallFaultHandlers();

// The pages [begin, end), as offsets, belong to a call that has returned, and have been closed, or
// closed for writing. An access to them is recorded as a late one and let through, so that the
// process, and with it what other calls are about to do late, lives on.
void AddReturnedPages(uint64_t begin, uint64_t end);
void ForgetReturnedPages();

// A number that this process alone knows. Where system calls are filtered, rt_sigaction for one of
// these signals without it as sixth argument ends in SIGSYS, and is then done here, chained.
uint64_t FaultHandlerPass();

// Takes the signal of guarded memory back from a handler that was installed past sigaction, by a
// system call that was not filtered, and chains that handler. One system call.
void RestoreFaultHandler();

}  // namespace poolproof::worker
