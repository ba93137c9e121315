export { type CommandFactory, exitCodes, type Terminal, UsageError } from './command.ts';
export { commands } from './commands/index.ts';
export { run } from './program.ts';
export { version } from './version.ts';
