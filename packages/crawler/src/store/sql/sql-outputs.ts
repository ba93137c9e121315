import { claimFile, countUnfinished, finishFile, neededObjects, sinksOfRun } from '../fleet/outputs.ts';
import type { Outputs } from '../roles/outputs.ts';
import type { StoreSession } from './session.ts';

export function sqlOutputs(session: StoreSession): Outputs {
	return {
		claim: (sink, size, rest) =>
			session.write((tx, worker) => claimFile(tx, worker, { sink, size, rest }, session.dialect)),
		finish: (file) => session.write((tx) => finishFile(tx, file)),
		unfinished: (sink) => session.read((db) => countUnfinished(db, sink)),
		needed: (sink) => session.read((db) => neededObjects(db, sink)),
		sinks: () => session.read((db) => sinksOfRun(db, session.run)),
	};
}
