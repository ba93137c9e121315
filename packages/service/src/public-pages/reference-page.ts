import { type Html, html } from '@wayleave/io/listen';
import { type Caller, curl } from './examples.ts';
import { pageResponse, sample } from './page.ts';

// The API reference is made of the OpenAPI description alone: what is missing here is missing there.

interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly description?: string;
	readonly example?: unknown;
	readonly default?: unknown;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
}

interface Media {
	readonly schema?: Schema;
}

interface Operation {
	readonly operationId?: string;
	readonly summary?: string;
	readonly tags?: readonly string[];
	readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
	readonly parameters?: readonly {
		readonly name: string;
		readonly in: string;
		readonly required?: boolean;
		readonly description?: string;
		readonly schema?: Schema;
	}[];
	readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
	readonly responses?: Readonly<
		Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, Media>> }>
	>;
}

/** The parts of an OpenAPI 3.1 description that the page shows. */
export interface Description {
	readonly info: { readonly title: string; readonly version: string; readonly description?: string };
	readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const tagTexts: Readonly<Record<string, string>> = {
	documents: 'Documents of pages',
	sites: 'Domains and their owners',
	register: 'Reports about agents',
	service: 'The service itself',
	operator: 'The crawler and its operator',
};

interface Call {
	readonly method: string;
	readonly path: string;
	readonly operation: Operation;
}

/** Every operation and every schema of the description. */
export function referencePage(description: Description, base: string, caller: Caller): Response {
	const calls = Object.entries(description.paths ?? {}).flatMap(([path, operations]) =>
		Object.entries(operations).map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
	);
	const tags = [...new Set(calls.map(({ operation }) => tagOf(operation)))];
	const groups = tags.map((tag) => ({ tag, calls: calls.filter(({ operation }) => tagOf(operation) === tag) }));
	const schemas = Object.entries(description.components?.schemas ?? {});
	const main = html`<h1>API reference</h1>
<p class="lede">${description.info.description}</p>
<p>Version ${description.info.version}. The same for programs: <a href="${base}/openapi.json">openapi.json</a> (OpenAPI 3.1).
Every failure is a <a href="#schema-Problem">problem object</a>.</p>
<nav aria-label="Operations">${groups.map(
		({ tag, calls: own }) => html`<h2>${tagTexts[tag] ?? tag}</h2>
<ul>${own.map((call) => html`<li>${linkOf(call)} <span class="soft">${call.operation.summary}</span></li>`)}</ul>`,
	)}</nav>
${groups.map(
	({ tag, calls: own }) => html`<section aria-label="${tagTexts[tag] ?? tag}">
<h2>${tagTexts[tag] ?? tag}</h2>
${own.map((call) => showCall(call, description, caller))}
</section>`,
)}
<h2>Schemas</h2>
${schemas.map(([name, schema]) => showSchema(name, schema))}`;
	return pageResponse({ title: 'API reference', main, base, path: '/reference' });
}

/** A text of the description, with its code between backquotes. */
function prose(text = ''): Html {
	const parts = text.split('`');
	return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

const tagOf = ({ tags = [] }: Operation): string => tags[0] ?? 'other';

const linkOf = ({ method, path, operation }: Call): Html =>
	html`<a href="#${operation.operationId}"><code>${method} ${path}</code></a>`;

function showCall({ method, path, operation }: Call, description: Description, caller: Caller): Html {
	const { operationId, summary, parameters = [], requestBody, responses = {}, security = [] } = operation;
	const scopes = security.flatMap((each) => Object.values(each).flat());
	const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
	const isJson = bodyType === 'application/json';
	return html`<article id="${operationId}">
<h3><span class="method">${method}</span> <code>${path}</code></h3>
<p>${prose(summary)}.${scopes.length > 0 && html` Needs a key with <code>${scopes.join(', ')}</code>.`}</p>
${
	parameters.length > 0 &&
	table(
		['Parameter', 'Where', 'Type', 'Meaning'],
		parameters.map((each) => [
			html`<code>${each.name}</code>${each.required ? ', required' : ''}`,
			html`${each.in}`,
			typeOf(each.schema),
			prose(each.description ?? each.schema?.description),
		]),
	)
}
${body?.schema !== undefined && html`<p>Body (<code>${bodyType}</code>): ${typeOf(body.schema)}</p>`}
${body?.schema !== undefined && body.schema.$ref === undefined && fieldsOf(body.schema)}
${(method === 'GET' || isJson) && sample(exampleOf({ method, path, operation }, body?.schema, description, caller))}
${table(
	['Response', 'Meaning', 'Content'],
	Object.entries(responses).map(([status, response]) => [
		html`<code>${status}</code>`,
		prose(response.description),
		contentOf(response.content),
	]),
)}
</article>`;
}

function contentOf(content: Readonly<Record<string, Media>> = {}): Html {
	const forms = Object.entries(content).map(([type, { schema }]) => html`<code>${type}</code> ${typeOf(schema)}`);
	return forms.length === 0 ? html`none` : html`${forms.map((form) => html`<div>${form}</div>`)}`;
}

function exampleOf(
	{ method, path, operation }: Call,
	body: Schema | undefined,
	description: Description,
	caller: Caller,
): string {
	const query = (operation.parameters ?? []).filter((each) => each.in === 'query' && each.required);
	const filled = path
		.replace('{domain}', 'example.com')
		.replace('{code}', 'robots-disallow')
		.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
	const parameters = new URLSearchParams(
		Object.fromEntries(query.map(({ name, schema }) => [name, String(schema?.example ?? name.toUpperCase())])),
	);
	return curl(caller, {
		method,
		path: query.length === 0 ? filled : `${filled}?${parameters}`,
		needsKey: (operation.security ?? []).length > 0,
		...(body !== undefined && { body: sampleOf(body, description) }),
	});
}

/** A value for an example: required members, or the first one where none is. */
function sampleOf(schema: Schema, description: Description, depth = 0): unknown {
	const target = resolve(schema, description);
	if (target.example !== undefined) return target.example;
	if (target.const !== undefined) return target.const;
	if (target.enum !== undefined) return target.enum[0];
	const { properties, required } = membersOf(target, description);
	if (Object.keys(properties).length > 0) {
		if (depth > 3) return {};
		const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
		return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] ?? {}, description, depth + 1)]));
	}
	if (target.items !== undefined) return [sampleOf(target.items, description, depth + 1)];
	const [type] = [target.type ?? 'string'].flat();
	if (type === 'integer' || type === 'number') return target.minimum ?? 1;
	if (type === 'boolean') return true;
	return target.format === 'date-time' ? '2026-01-01T00:00:00Z' : '…';
}

const prefix = '#/components/schemas/';

function resolve(schema: Schema, description: Description): Schema {
	const name = schema.$ref?.startsWith(prefix) ? schema.$ref.slice(prefix.length) : undefined;
	return name === undefined ? schema : (description.components?.schemas?.[name] ?? {});
}

/** The members of a schema, with those that it takes over by `allOf`. */
function membersOf(schema: Schema, description: Description) {
	const parts = [schema, ...(schema.allOf ?? []).map((each) => resolve(each, description))];
	return {
		properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)) as Readonly<
			Record<string, Schema>
		>,
		required: parts.flatMap(({ required = [] }) => required),
	};
}

/** The type of a value, with a link to a schema that has a name. */
function typeOf(schema: Schema = {}): Html {
	if (schema.$ref !== undefined) {
		const name = schema.$ref.slice(prefix.length);
		return html`<a href="#schema-${name}">${name}</a>`;
	}
	if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
	if (schema.enum !== undefined)
		return html`${schema.enum.map((each, at) => html`${at > 0 && 'or '}<code>${JSON.stringify(each)}</code>`)}`;
	const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
	if (choices !== undefined) {
		const word = schema.allOf === undefined ? ' or ' : ' and ';
		return html`${choices.map((each, at) => html`${at > 0 && word}${typeOf(each)}`)}`;
	}
	if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
	const types = [schema.type ?? 'any'].flat().join(' or ');
	return html`${types}${schema.format !== undefined && ` (${schema.format})`}`;
}

function fieldsOf(schema: Schema): Html | undefined {
	const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
		html`<code>${name}</code>${schema.required?.includes(name) ? ', required' : ''}`,
		typeOf(field),
		html`${prose(field.description)}${boundsOf(field)}`,
	]);
	return rows.length === 0 ? undefined : table(['Member', 'Type', 'Meaning'], rows);
}

function boundsOf({ minimum, maximum, default: usual }: Schema): string {
	const parts = [
		...(minimum === undefined ? [] : [`at least ${minimum}`]),
		...(maximum === undefined ? [] : [`at most ${maximum}`]),
		...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
	];
	return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function showSchema(name: string, schema: Schema): Html {
	const parts = [schema, ...(schema.allOf ?? [])];
	return html`<article id="schema-${name}">
<h3>${name}</h3>
${schema.description !== undefined && html`<p>${prose(schema.description)}.</p>`}
${schema.properties === undefined && html`<p>${typeOf(schema)}</p>`}
${parts.flatMap((part) => fieldsOf(part) ?? [])}
</article>`;
}

function table(head: readonly string[], rows: readonly (readonly Html[])[]): Html {
	return html`<table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
		([first, ...cells]) =>
			html`<tr><th scope="row">${first}</th>${cells.map(
				(cell, at) => html`<td data-name="${head[at + 1]}">${cell}</td>`,
			)}</tr>`,
	)}</tbody></table>`;
}
