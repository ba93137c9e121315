import { locatePointers } from '../internal/json-pointer.ts';
import { departures, isObject, type JsonSchema } from '../internal/json-schema.ts';
import { maxJsonDepth, readJson } from '../internal/json-text.ts';
import { TextProblems } from '../internal/text-problems.ts';
import type { SomProblem, SomProblemCode } from './problems.ts';
import { somProblem } from './report.ts';

/**
 * Whether a consumer reads a document of this `som_version`: 0.1 and any later 0.x, and 1 or 1.x, since minor steps
 * only add fields (AMB-71).
 */
export function isSupportedSomVersion(version: unknown): boolean {
	return typeof version === 'string' && /^(?:0\.[1-9]\d*|1(?:\.\d+)?)$/.test(version);
}

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };

/** The skeleton of a SOM document (SOM 1.0 §2 to §4): what a consumer relies on. */
const skeleton: JsonSchema = {
	type: 'object',
	required: ['som_version', 'url', 'title', 'lang', 'regions', 'meta'],
	properties: {
		som_version: text,
		url: text,
		title: text,
		lang: text,
		meta: {
			type: 'object',
			required: ['html_bytes', 'som_bytes', 'element_count', 'interactive_count'],
			properties: { html_bytes: count, som_bytes: count, element_count: count, interactive_count: count },
		},
		regions: {
			type: 'array',
			items: {
				type: 'object',
				required: ['id', 'role', 'elements'],
				properties: {
					id: { type: 'string', pattern: '^r_[a-z]+(_[0-9]+)?$', description: 'r_ROLE or r_ROLE_INDEX' },
					role: {
						type: 'string',
						enum: ['navigation', 'main', 'aside', 'header', 'footer', 'form', 'dialog', 'content'],
					},
					elements: {
						type: 'array',
						items: {
							type: 'object',
							required: ['id', 'role'],
							properties: {
								id: text,
								role: {
									type: 'string',
									enum: [
										...['link', 'button', 'text_input', 'textarea', 'select', 'checkbox', 'radio', 'heading', 'image'],
										...['list', 'table', 'paragraph', 'section', 'group', 'separator', 'details', 'iframe'],
									],
								},
								text,
								label: text,
								attrs: { type: 'object' },
								actions: {
									type: 'array',
									items: { type: 'string', enum: ['click', 'type', 'clear', 'select', 'toggle'] },
								},
							},
						},
					},
				},
			},
		},
	},
};

interface Finding {
	readonly code: SomProblemCode;
	readonly pointer: string;
	readonly args?: SomProblem['args'];
}

/** Looks into the text of a SOM document: its skeleton, its version, empty regions and repeated identifiers. */
export function checkSomDocument(json: string): readonly SomProblem[] {
	const report = new TextProblems(json, somProblem);
	if (json.startsWith('\ufeff')) report.add('som-document-byte-order-mark', 0);
	const reading = readJson(json);
	if (reading.fault !== undefined) {
		const code = reading.fault === 'depth' ? 'som-document-too-deep' : 'som-document-not-json';
		report.add(code, reading.offset, { limit: maxJsonDepth });
		return report.close('som-document-omitted');
	}
	const findings = check(reading.value);
	if (findings.length === 0) return report.close('som-document-omitted');
	const offsetOf = locatePointers(
		json,
		findings.map(({ pointer }) => pointer),
	);
	const placed = findings.map((finding) => ({ ...finding, at: offsetOf(finding.pointer) }));
	for (const { code, at, pointer, args } of placed.sort((a, b) => a.at - b.at))
		report.add(code, at, { pointer, ...args });
	return report.close('som-document-omitted');
}

const departureCodes = {
	missing: 'som-document-missing-field',
	type: 'som-document-wrong-type',
	value: 'som-document-wrong-value',
} as const;

function check(value: unknown): Finding[] {
	if (isObject(value) && typeof value.som_version === 'string' && !isSupportedSomVersion(value.som_version)) {
		const args = { version: value.som_version };
		return [{ code: 'som-document-unsupported-version', pointer: '/som_version', args }];
	}
	const shape = departures(skeleton, value).map(
		({ kind, pointer, expected, found }): Finding => ({
			code: departureCodes[kind],
			pointer,
			args: { expected, found },
		}),
	);
	return shape.length > 0 ? shape : checkRegions((value as { regions: Region[] }).regions);
}

interface Region {
	readonly id: string;
	readonly elements: readonly { readonly id: string }[];
}

function checkRegions(regions: readonly Region[]): Finding[] {
	const found: Finding[] = [];
	const seen = new Set<string>();
	const see = (id: string, pointer: string) => {
		if (seen.has(id)) found.push({ code: 'som-document-repeated-id', pointer: `${pointer}/id`, args: { id } });
		seen.add(id);
	};
	for (const [index, { id, elements }] of regions.entries()) {
		const pointer = `/regions/${index}`;
		if (elements.length === 0) found.push({ code: 'som-document-empty-region', pointer });
		see(id, pointer);
		for (const [at, element] of elements.entries()) see(element.id, `${pointer}/elements/${at}`);
	}
	return found;
}
