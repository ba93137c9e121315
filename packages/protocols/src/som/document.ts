import { checkSchema, checkText, type Finding } from '../internal/document-text.ts';
import { isObject, type JsonSchema } from '../internal/json-schema.ts';
import { TextProblems } from '../internal/text-problems.ts';
import type { SomProblem, SomProblemCode } from './problems.ts';
import { somProblem } from './report.ts';

/** Of the codes about documents. */
const prefix = 'som-document';

/**
 * Whether a consumer reads a document of this `som_version`: 0.1 and any later 0.x, and 1 or 1.x, since minor steps
 * only add fields.
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

type SomFinding = Finding<SomProblemCode>;

/** Looks into the text of a SOM document: its skeleton, its version, empty regions and repeated identifiers. */
export function checkSomDocument(json: string): readonly SomProblem[] {
	const report = new TextProblems(json, somProblem);
	checkText(prefix, json, report, check);
	return report.close('som-document-omitted');
}

function check(value: unknown): SomFinding[] {
	if (isObject(value) && typeof value.som_version === 'string' && !isSupportedSomVersion(value.som_version)) {
		return [finding('unsupported-version', '/som_version', { version: value.som_version })];
	}
	const shape = checkSchema(prefix, skeleton, value);
	return shape.length > 0 ? shape : checkRegions((value as { regions: Region[] }).regions);
}

function finding(
	code: 'unsupported-version' | 'empty-region' | 'repeated-id',
	pointer: string,
	args: SomProblem['args'] = {},
): SomFinding {
	return { code: `${prefix}-${code}`, pointer, args: { pointer, ...args } };
}

interface Region {
	readonly id: string;
	readonly elements: readonly { readonly id: string }[];
}

function checkRegions(regions: readonly Region[]): SomFinding[] {
	const found: SomFinding[] = [];
	const seen = new Set<string>();
	const see = (id: string, pointer: string) => {
		if (seen.has(id)) found.push(finding('repeated-id', `${pointer}/id`, { id }));
		seen.add(id);
	};
	for (const [index, { id, elements }] of regions.entries()) {
		const pointer = `/regions/${index}`;
		if (elements.length === 0) found.push(finding('empty-region', pointer));
		see(id, pointer);
		for (const [at, element] of elements.entries()) see(element.id, `${pointer}/elements/${at}`);
	}
	return found;
}
