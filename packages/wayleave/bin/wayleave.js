#!/usr/bin/env node
// Node reads this file before it can say that it is too old for the rest: no syntax newer than `import()`, and neither
// import.meta nor a static import, so that it is valid as a script too.
var oldest = [20, 19];
var running = process.versions.node.split('.').map(Number);

if (running[0] < oldest[0] || (running[0] === oldest[0] && running[1] < oldest[1])) {
	process.stderr.write(
		'error: Wayleave needs Node ' + oldest.join('.') + ' or newer; this is ' + process.versions.node + '\n'
	);
	process.exitCode = 3;
} else {
	void import('./start.js');
}
