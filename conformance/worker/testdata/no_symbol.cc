// A shared object that is no backend.
extern "C" __attribute__((visibility("default"))) int poolproof_nothing() { return 0; }
