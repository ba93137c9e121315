#!/usr/bin/env node
import { commands } from './commands/index.ts';
import { processTerminal } from './process-terminal.ts';
import { run } from './program.ts';

process.exitCode = await run(process.argv.slice(2), processTerminal(), commands);
