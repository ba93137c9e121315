export { commands } from './command-list.ts';
export { run } from './program.ts';
export { type CommandFactory, exitCodes, type Terminal, UsageError } from './terminal/command.ts';
export { version } from './terminal/version.ts';
