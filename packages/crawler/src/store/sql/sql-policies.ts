import { loadAskAnswers, saveAskAnswer } from '../policies/ask-answers.ts';
import { countPolicyFiles, loadPolicyFile, policyFilesOf, savePolicyFile } from '../policies/policy-files.ts';
import type { PolicyCache, PolicyReader } from '../roles/policies.ts';
import type { ReadAccess } from '../schema/access.ts';
import type { StoreSession } from './session.ts';

export function policyReader(reading: ReadAccess): PolicyReader {
	return {
		policyFile: (url) => reading.read((db) => loadPolicyFile(db, url)),
		filesOf: (url) => reading.read((db) => policyFilesOf(db, url)),
		count: () => reading.read(countPolicyFiles),
	};
}

export function sqlPolicies(session: StoreSession): PolicyCache {
	return {
		...policyReader(session),
		savePolicyFile: (file) => session.read((db) => savePolicyFile(db, file)),
		askAnswers: (origin, identity, now) => session.read((db) => loadAskAnswers(db, origin, identity, now)),
		saveAskAnswer: (answer) => session.read((db) => saveAskAnswer(db, answer)),
	};
}
