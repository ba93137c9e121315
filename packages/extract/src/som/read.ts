import type { Problem } from '@wayleave/protocols';
import { elementRoles, regionRoles } from './known-roles.ts';
import type { SomDocument, SomElement, SomRegion } from './types.ts';

/** The sentence for each code; `{name}` stands for an argument. */
export const somProblems = {
	'som-not-json': 'the document is not JSON: {message}',
	'som-not-an-object': 'a SOM document must be a JSON object',
	'som-missing-field': '{path} is missing',
	'som-wrong-type': '{path} must be {expected}',
	'som-unknown-version': 'som_version {version} is not supported; supported are 0.1 to 1.x',
	'som-unknown-role': '{path} has the unknown role {role} and was skipped',
} as const;

export type SomProblemCode = keyof typeof somProblems;

const knownRegions: ReadonlySet<string> = new Set(regionRoles);
const knownElements: ReadonlySet<string> = new Set(elementRoles);

/**
 * Reads a SOM document as a consumer (SOM-SPEC §12.2): unknown roles are skipped and reported, unknown fields are kept,
 * a version outside 0.1 … 1.x or a broken frame gives no value.
 */
export function parseSom(source: string | unknown): {
	value: SomDocument | undefined;
	problems: Problem<SomProblemCode>[];
} {
	const problems: Problem<SomProblemCode>[] = [];
	const report = (code: SomProblemCode, args: Record<string, string>, severity: 'error' | 'info' = 'error') =>
		problems.push({ code, severity, line: 0, column: 0, args });
	const data = typeof source === 'string' ? parsed(source, report) : source;
	if (!isObject(data)) {
		if (problems.length === 0) report('som-not-an-object', {});
		return { value: undefined, problems };
	}
	for (const [field, expected] of frame) {
		if (!(field in data)) report('som-missing-field', { path: `/${field}` });
		else if (!hasType(data[field], expected)) report('som-wrong-type', { path: `/${field}`, expected });
	}
	if (typeof data.som_version === 'string' && !/^(?:0\.[1-9]\d*|1(?:\.\d+)?)$/.test(data.som_version)) {
		report('som-unknown-version', { version: data.som_version });
	}
	if (problems.length > 0) return { value: undefined, problems };
	const regions = readRegions(data.regions as unknown[], report);
	if (problems.some((problem) => problem.severity === 'error')) return { value: undefined, problems };
	return { value: { ...(data as unknown as SomDocument), regions }, problems };
}

/** The elements that can be acted on, in document order: refer to them by their `id` (SOM-SPEC §12.2). */
export function actionableElements(som: SomDocument): SomElement[] {
	const found: SomElement[] = [];
	const visit = (elements: readonly SomElement[]) => {
		for (const element of elements) {
			if (element.actions !== undefined && element.actions.length > 0) found.push(element);
			if (element.shadow !== undefined) visit(element.shadow.elements);
		}
	};
	for (const region of som.regions) visit(region.elements);
	return found;
}

type Report = (code: SomProblemCode, args: Record<string, string>, severity?: 'error' | 'info') => void;

const frame = [
	['som_version', 'a string'],
	['url', 'a string'],
	['title', 'a string'],
	['lang', 'a string'],
	['regions', 'an array'],
	['meta', 'an object'],
] as const;

function parsed(text: string, report: Report): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		report('som-not-json', { message: (error as Error).message });
		return undefined;
	}
}

function readRegions(list: readonly unknown[], report: Report): SomRegion[] {
	const regions: SomRegion[] = [];
	for (const [index, region] of list.entries()) {
		const path = `/regions/${index}`;
		if (!isObject(region) || typeof region.role !== 'string' || !Array.isArray(region.elements)) {
			report('som-wrong-type', { path, expected: 'a region with role and elements' });
		} else if (!knownRegions.has(region.role)) report('som-unknown-role', { path, role: region.role }, 'info');
		else regions.push({ ...(region as unknown as SomRegion), elements: readElements(region.elements, path, report) });
	}
	return regions;
}

function readElements(list: readonly unknown[], path: string, report: Report): SomElement[] {
	const elements: SomElement[] = [];
	for (const [index, element] of list.entries()) {
		const at = `${path}/elements/${index}`;
		if (!isObject(element) || typeof element.role !== 'string' || typeof element.id !== 'string') {
			report('som-wrong-type', { path: at, expected: 'an element with id and role' });
		} else if (!knownElements.has(element.role)) report('som-unknown-role', { path: at, role: element.role }, 'info');
		else elements.push(element as unknown as SomElement);
	}
	return elements;
}

function hasType(value: unknown, expected: (typeof frame)[number][1]): boolean {
	if (expected === 'a string') return typeof value === 'string';
	return expected === 'an array' ? Array.isArray(value) : isObject(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
