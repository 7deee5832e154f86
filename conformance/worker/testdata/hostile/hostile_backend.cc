// The optimized backend, with an attack: --backend-option=attack=NAME. It is made once per process,
// at the first run or where at=create, infer or destroy says; at=each: at every run.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "conformance/worker/testdata/hostile/attack.h"
#include "optimized/core/backend.h"

namespace poolproof::hostile {

Target g_target;

void Report(const std::string& what, bool success) {
  const int error = errno;
  std::string line = success ? "breach: " + what + "\n" : "refused: " + what + ": " + std::strerror(error) + "\n";
  (void)!write(STDERR_FILENO, line.data(), line.size());
}

int TryOpen(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0600);
  Report("open " + path, fd >= 0);
  return fd;
}

namespace {

std::string g_attack = "none", g_at = "run";
bool g_done = false;

const Attacks& AllAttacks();

void ListAttacks() {
  for (const auto& [name, attack] : AllAttacks()) std::fprintf(stderr, "%s\n", name.c_str());
}

const Attacks& AllAttacks() {
  static const Attacks attacks = [] {
    Attacks all = {{"none", [] {}}, {"list", &ListAttacks}};
    AddProcessAttacks(&all);
    AddFileAttacks(&all);
    AddSystemAttacks(&all);
    AddStateAttacks(&all);
    AddChannelAttacks(&all);
    return all;
  }();
  return attacks;
}

void AttackAt(std::string_view moment) {
  if (g_at == "each" ? moment != "run" : g_at != moment || g_done) return;
  g_done = true;
  const std::string line = "attack: " + g_attack + "\n";
  (void)!write(STDERR_FILENO, line.data(), line.size());
  AllAttacks().at(g_attack)();
}

poolproof_status Create(const char* const* options, size_t count, poolproof_instance** instance, char* error,
                        size_t error_size) {
  g_target.runner = getppid();
  for (size_t i = 0; i < count; ++i) {
    const std::string_view option = options[i];
    const std::string_view key = option.substr(0, option.find('='));
    const std::string value(option.substr(key.size() + 1));
    if (key == "attack") g_attack = value;
    if (key == "at") g_at = value;
    if (key == "victim") g_target.victim = value;
    if (key == "out") g_target.out = value;
  }
  if (!AllAttacks().contains(g_attack)) {
    std::snprintf(error, error_size, "no attack %s", g_attack.c_str());
    return POOLPROOF_INVALID_ARGUMENT;
  }
  AttackAt("create");
  return optimized::Backend().create(nullptr, 0, instance, error, error_size);
}

void Destroy(poolproof_instance* instance) {
  AttackAt("destroy");
  optimized::Backend().destroy(instance);
}

poolproof_status InferShapes(poolproof_instance* instance, const poolproof_call* call) {
  g_target.call = call;
  AttackAt("infer");
  return optimized::Backend().infer_shapes(instance, call);
}

// The answer is there before the attack: what an attack gets by forging a reply is no error of it.
poolproof_status Run(poolproof_instance* instance, const poolproof_call* call) {
  g_target.call = call;
  const poolproof_status status = optimized::Backend().run(instance, call);
  AttackAt("run");
  return g_attack == "escapes-in-error" ? POOLPROOF_INTERNAL_ERROR : status;
}

const char* LastError(poolproof_instance* instance) {
  if (g_attack != "escapes-in-error") return optimized::Backend().last_error(instance);
  return "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\r\nCONFORMS\n\xff\xfe";
}

const poolproof_backend* Table() {
  static poolproof_backend table = optimized::Backend();
  table.create = &Create;
  table.destroy = &Destroy;
  table.infer_shapes = &InferShapes;
  table.run = &Run;
  table.last_error = &LastError;
  return &table;
}

}  // namespace
}  // namespace poolproof::hostile

const poolproof_backend* poolproof_get_backend(uint32_t) { return poolproof::hostile::Table(); }
