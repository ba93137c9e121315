// The catalogue of known agents: agents/agents.json is what people edit, src/identity/catalogue.ts is made from it.
//
//   npm run agents                                   checks both; ends with 1 when something is wrong
//   npm run agents -- write                          makes catalogue.ts
//   npm run agents -- compare FILE                   names of a public list (robots.txt, or JSON with names as keys) that are missing
//   npm run agents -- compare FILE --add             adds them to agents.json, then makes catalogue.ts
//     --source URL --date 2026-11-29                 the list as of that day: becomes the source of all rows from lists
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AgentIndex, agentCategories, isCommonToken, type KnownAgent } from '../src/identity/index.ts';
import { parseRobots } from '../src/robots/index.ts';

/** A row of agents.json; `source: "list"` is the public list. */
type Row = KnownAgent;

export interface AgentsFile {
	readonly list: { readonly url: string; readonly date: string; readonly ignored: readonly string[] };
	readonly operators: readonly {
		readonly operator?: string;
		readonly source: string;
		readonly agents: readonly Row[];
	}[];
}

const dataPath = fileURLToPath(new URL('../agents/agents.json', import.meta.url));
const cataloguePath = fileURLToPath(new URL('../src/identity/catalogue.ts', import.meta.url));

export function readAgentsFile(): AgentsFile {
	return JSON.parse(readFileSync(dataPath, 'utf8')) as AgentsFile;
}

/** All rows, each complete. */
export function agentsOf({ list, operators }: AgentsFile): KnownAgent[] {
	return operators.flatMap(({ operator, source: page, agents }) =>
		agents.map(({ token, name, category, source = page, ...rest }) => ({
			token,
			...(name !== undefined && { name }),
			...(operator !== undefined && { operator }),
			...(category !== undefined && { category }),
			...(source === 'list' ? { source: list.url, listed: list.date } : { source }),
			...rest,
		})),
	);
}

/** What is wrong in the file, one sentence each. */
export function checkAgents(file: AgentsFile): string[] {
	const agents = agentsOf(file);
	const seen = new Set<string>();
	return agents.flatMap((agent) => {
		const { token, name, category, source = '', listed, ranges, reverseDns = [], signalOnly } = agent;
		const called = name ?? token;
		const wrong: string[] = [];
		for (const each of new Set([called.toLowerCase(), token.toLowerCase()])) {
			if (seen.has(each)) wrong.push(`${each} is there twice`);
			seen.add(each);
		}
		if (!/^[A-Za-z\d][\w.-]*$/.test(token)) wrong.push('the token holds characters that no product token has');
		if (name !== undefined && (!/^[\w.-]+(?: [\w.-]+)+$/.test(name) || name.split(' ')[0] !== token))
			wrong.push('a name has several words, and the token is its first');
		if (name === undefined && isCommonToken(token)) wrong.push('the token is too common to name one agent');
		if (category !== undefined && !agentCategories.includes(category)) wrong.push(`there is no category ${category}`);
		for (const url of [source, ...(ranges === undefined ? [] : [ranges])])
			if (!/^https:\/\/\S+$/.test(url)) wrong.push(`${url} is not an https URL`);
		if (listed !== undefined && !/^20\d\d-\d\d-\d\d$/.test(listed)) wrong.push(`${listed} is no date`);
		const verifiable = ranges !== undefined || reverseDns.length > 0;
		if (listed !== undefined && verifiable) wrong.push('how to verify it is stated by no page of its operator');
		if (signalOnly && verifiable) wrong.push('a signal carries nothing that could be verified');
		for (const end of reverseDns) {
			// An end such as `.example.com`, or the shape of a whole name with at least two labels behind its star.
			const isRight = /^(\.[a-z0-9-]+){2,}$/.test(end) || /^[a-z0-9-]*\*(\.[a-z0-9-]+){2,}$/.test(end);
			if (!isRight) wrong.push(`${end} is not the end or the shape of a host name`);
		}
		return wrong.map((sentence) => `${called}: ${sentence}`);
	});
}

/** The text of catalogue.ts. */
export function catalogueText(file: AgentsFile): string {
	const rows = agentsOf(file).map(({ listed, source, ...agent }) => {
		const fields = Object.entries(agent).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
		const from = listed === undefined ? `source: ${JSON.stringify(source)}` : '...list';
		return `\t\t{ ${[...fields, from].join(', ')} },\n`;
	});
	const list = { source: file.list.url, listed: file.list.date };
	return `// Made from agents/agents.json by "npm run agents -- write": changes here are lost.
import type { KnownAgent } from './known-agent.ts';

/** The known agents, by operator. Made by a call without effects, so that a bundle which does not ask leaves it out. */
export const knownAgents: readonly KnownAgent[] = /* @__PURE__ */ catalogue();

function catalogue(): KnownAgent[] {
\tconst list = ${JSON.stringify(list)};
\treturn [
${rows.join('')}\t];
}
`;
}

/** The names of a public list: keys of a JSON object, or the agents of a robots.txt. */
export function namesOfList(text: string): string[] {
	if (/^\s*\{/.test(text)) return Object.keys(JSON.parse(text) as object);
	return parseRobots(text).value.groups.flatMap(({ agents }) => agents.map(({ name }) => name));
}

/** Names of a list that the catalogue does not recognise. */
export function missingNames(file: AgentsFile, names: readonly string[]): string[] {
	const index = new AgentIndex(agentsOf(file));
	const ignored = new Set(file.list.ignored.map((name) => name.toLowerCase()));
	const cleaned = names.map((name) => name.replace(/\/.*|\s+\d+(?:\.\d+)*$/, '').trim());
	return [...new Set(cleaned)].filter(
		(name) => name !== '' && name !== '*' && !ignored.has(name.toLowerCase()) && index.find(name) === undefined,
	);
}

function added(file: AgentsFile, names: readonly string[]): AgentsFile {
	const rows = names.map((name) => {
		const [token = name] = name.split(' ');
		return { token, ...(token !== name && { name }) };
	});
	const unknown = file.operators.find(({ operator }) => operator === undefined);
	const others = file.operators.filter((each) => each !== unknown);
	const agents = [...(unknown?.agents ?? []), ...rows];
	return { ...file, operators: [...others, { source: 'list', agents }] };
}

function main(): number {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { add: { type: 'boolean' }, source: { type: 'string' }, date: { type: 'string' } },
	});
	const [what = 'check', list] = positionals;
	let file = readAgentsFile();
	if (what === 'compare' && list !== undefined) {
		const missing = missingNames(file, namesOfList(readFileSync(list, 'utf8')));
		for (const name of missing) console.log(name);
		console.error(`${missing.length} names are missing`);
		if (!values.add) return missing.length === 0 ? 0 : 1;
		const { url, date } = file.list;
		file = added(
			{ ...file, list: { ...file.list, url: values.source ?? url, date: values.date ?? date } },
			missing.filter((name) => !isCommonToken(name)),
		);
		writeFileSync(dataPath, `${JSON.stringify(file, undefined, '\t')}\n`);
	} else if (what !== 'check' && what !== 'write') {
		console.error('usage: npm run agents -- [check | write | compare FILE [--add] [--source URL] [--date DAY]]');
		return 2;
	}
	const problems = checkAgents(file);
	if (problems.length === 0 && what !== 'check') writeFileSync(cataloguePath, catalogueText(file));
	const stale = readFileSync(cataloguePath, 'utf8') !== catalogueText(file);
	if (stale) problems.push('src/identity/catalogue.ts is not made from agents.json: npm run agents -- write');
	for (const problem of problems) console.error(problem);
	console.error(`${agentsOf(file).length} agents, ${problems.length} problems`);
	return problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
