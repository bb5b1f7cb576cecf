// Runs a Python program with MicroPython: node run.mjs PACKAGE_FOLDER PROGRAM_FILE SEED
//
// The interpreter is MicroPython's own, built for Node; files are in memory.
import fs from "node:fs";
import path from "node:path";

const [, , root, program, seed] = process.argv;
const folder = path.join("build/scripts/node_modules/@micropython/micropython-webassembly-pyscript");
const { loadMicroPython } = await import(path.resolve(folder, "micropython.mjs"));
const python = await loadMicroPython({ linebuffer: true, stdout: (line) => console.log(line) });
python.FS.mkdirTree("/devices/firmware");
python.FS.writeFile("/devices/__init__.py", "");
for (const name of fs.readdirSync(path.join(root, "devices/firmware"))) {
    if (name.endsWith(".py"))
        python.FS.writeFile(`/devices/firmware/${name}`, fs.readFileSync(path.join(root, "devices/firmware", name)));
}
python.runPython(`import sys\nsys.path.append("/")\nSEED = ${Number(seed)}`);
python.runPython(fs.readFileSync(program, "utf8"));
