// The messages of PROTOCOL.md as text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/backend.h"
#include "conformance/worker/lane.h"

namespace poolproof::worker {

inline constexpr int kProcessProtocol = 1;

// Version, 1, and the options of the backend.
std::string GreetingLine(const std::vector<std::string>& options);

// The part of a request that is the same for infer_shapes and run: operator and attributes, as JSON
// members without braces.
std::string DescribeCall(const poolproof_call& call);

// The line of a request. `outputs` are what infer_shapes answered; `capacities` their room.
std::string InferLine(int64_t id, const std::string& call, std::span<const poolproof_tensor> inputs,
                      size_t output_count);
std::string RunLine(int64_t id, const std::string& call, std::span<const poolproof_tensor> inputs,
                    std::span<const poolproof_tensor> outputs, std::span<const uint64_t> capacities);

// Reading a greeting's answer: false, and what is wrong as a sentence without full stop.
bool ParseGreeting(const std::string& line, BackendInfo* info, Error* problem);

struct Reply {
  poolproof_status status = POOLPROOF_OK;
  std::string error;
  std::array<poolproof_tensor, kMaxOutputs> outputs{};  // for OK
};
// The same for a reply to request `id`, which wanted `output_count` outputs.
bool ParseReply(const std::string& line, int64_t id, size_t output_count, Reply* reply, Error* problem);

}  // namespace poolproof::worker
