// A backend in Node.js that has no operator.
let rest = Buffer.alloc(0), first = true;
process.stdin.on("data", (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  while (true) {
    const end = rest.indexOf(10);
    if (end < 0) return;
    const message = JSON.parse(rest.subarray(0, end).toString());
    const data = (message.inputs || []).reduce((sum, input) => sum + (input.bytes || 0), 0);
    if (rest.length < end + 1 + data) return;
    rest = rest.subarray(end + 1 + data);
    const reply = first ? {poolproof: 1, name: "node", version: process.version}
                        : {id: message.id, status: "UNSUPPORTED", error: "none"};
    first = false;
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
});
