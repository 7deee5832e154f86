#include "conformance/backend_process.h"

int main() { return poolproof::backend::Serve(poolproof_get_backend, 0, 1); }
