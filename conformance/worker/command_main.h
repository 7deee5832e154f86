// The process between a lane and the program of "process:COMMAND".
#pragma once

namespace poolproof::worker {

// No core files from here on, in this process and its children.
void DisableCoreFiles();

// Runs `command` by /bin/sh as a child and ends as it ended. If the runner dies, so does the whole
// process group: a program that hangs does not outlive the run.
// `cell` describes the cell that it runs in; see cell.h.
int RunCommand(int cell, const char* command);

// Goes on in a child process; the process that called waits for it and ends as it ended.
void ContinueInChild();

}  // namespace poolproof::worker
