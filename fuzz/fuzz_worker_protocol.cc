// Greetings and replies: lines that a backend that is a program may write to us.
//
// - any line is read or refused with a reason
// - a reply that is read describes tensors that the suite can allocate
#include <cassert>
#include <string>

#include "conformance/worker/process_message.h"
#include "fuzz/harness.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poolproof;  // NOLINT: a C function
  const std::string line(reinterpret_cast<const char*>(data), size);
  BackendInfo info;
  Error problem;
  assert(worker::ParseGreeting(line, &info, &problem) == problem.message.empty());
  for (size_t outputs = 1; outputs <= kMaxOutputs; ++outputs) {
    worker::Reply reply;
    problem.message.clear();
    assert(worker::ParseReply(line, 1, outputs, &reply, &problem) == problem.message.empty());
    if (!problem.message.empty() || reply.status != POOLPROOF_OK) continue;
    for (size_t i = 0; i < outputs; ++i) {
      assert(reply.outputs[i].rank >= 0 && reply.outputs[i].rank <= POOLPROOF_MAX_RANK);
      assert(ElementSize(reply.outputs[i].element_type) > 0);
    }
  }
  return 0;
}
