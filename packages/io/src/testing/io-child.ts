// Runs a program of a test, the first argument, in a process of its own. It sees the functions of this package, `sql` of
// Kysely, the modules of Node by `node(name)`, and the other arguments as `argv`.
import { sql } from 'kysely';
import * as io from '../index.ts';

const [, , program = '', ...argv] = process.argv;
const scope = { ...io, sql, argv, node: (name: string) => process.getBuiltinModule(name) };
// biome-ignore lint/complexity/useArrowFunction: only the function of an async one is its constructor
const AsyncFunction = async function () {}.constructor as FunctionConstructor;
await new AsyncFunction(...Object.keys(scope), program)(...Object.values(scope));
