#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "conformance/worker/testdata/accidents/accident.h"
#include "optimized/core/backend.h"

namespace poolproof::accidents {

void Sleep(double seconds) { usleep(static_cast<useconds_t>(seconds * 1e6)); }

namespace {

Accident g_accident;
std::string g_error;

const Accidents& AllAccidents() {
  static const Accidents accidents = [] {
    Accidents all = {{"none", {}}};
    AddAnswers(&all);
    AddProcesses(&all);
    return all;
  }();
  return accidents;
}

poolproof_status Give(const Answer& answer) {
  g_error = answer.error;
  return answer.status == kAnswered ? POOLPROOF_OK : answer.status;
}

poolproof_status Create(const char* const* options, size_t count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  Answer answer;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view option = options[i];
    const auto found = AllAccidents().find(std::string(option.substr(option.find('=') + 1)));
    if (!option.starts_with("accident=") || found == AllAccidents().end()) {
      for (const auto& [name, accident] : AllAccidents()) std::fprintf(stderr, "%s\n", name.c_str());
      answer = {POOLPROOF_INVALID_ARGUMENT, "no " + std::string(option)};
    } else {
      g_accident = found->second;
    }
  }
  if (answer.Ok() && g_accident.create != nullptr) answer = g_accident.create();
  if (answer.Ok()) return optimized::Backend().create(nullptr, 0, instance, error, error_size);
  std::snprintf(error, error_size, "%s", answer.error.c_str());
  return answer.status;
}

void Destroy(poolproof_instance* instance) {
  if (g_accident.destroy != nullptr) g_accident.destroy();
  optimized::Backend().destroy(instance);
}

poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) {
  const Answer answer = g_accident.infer == nullptr ? Answer() : g_accident.infer(CallView(*call));
  if (!answer.Ok()) return Give(answer);
  const poolproof_status status = optimized::Backend().infer_shapes(instance, call);
  return Give({status, optimized::Backend().last_error(instance)});
}

poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
  ++g_runs;
  Answer answer = g_accident.before == nullptr ? Answer() : g_accident.before(CallView(*call));
  if (!answer.Ok()) return Give(answer);
  answer.status = optimized::Backend().run(instance, call);
  answer.error = optimized::Backend().last_error(instance);
  if (answer.Ok() && g_accident.after != nullptr) answer = g_accident.after(CallView(*call));
  return Give(answer);
}

const char* LastError(poolproof_instance*) { return g_error.c_str(); }

const poolproof_backend* Table() {
  static poolproof_backend table = optimized::Backend();
  table.name = "accident";
  table.create = &Create;
  table.destroy = &Destroy;
  table.infer_shapes = &InferShapes;
  table.run = &Run;
  table.last_error = &LastError;
  return &table;
}

}  // namespace
}  // namespace poolproof::accidents

extern "C" POOLPROOF_EXPORT const poolproof_backend* poolproof_get_backend(uint32_t) {
  return poolproof::accidents::Table();
}
