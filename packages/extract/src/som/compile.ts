import type { Document, Element, Node } from '../dom/node.ts';
import { attributesOf, type Inherited } from './attributes.ts';
import { applyBudget, summaryText } from './budget.ts';
import { type Facts, readFacts } from './facts.ts';
import { hintsOf } from './hints.ts';
import type { IdMaker } from './ids.ts';
import { type Names, readNames } from './names.ts';
import { regionRoleOf } from './regions.ts';
import { actionsOfRole, elementRoleOf } from './roles.ts';
import { isLayoutTable, tableData } from './table.ts';
import { normalise, truncate } from './text.ts';
import type { ElementRole, RegionRole, SomAttributes, SomBudget, SomElement, SomRegion } from './types.ts';
import { readVisibility, type Visibility } from './visibility.ts';

/** The part of the page to compile: everything with its regions, or chosen roots as one `main` region. */
export interface Part {
	roots: readonly Element[];
	skip: (node: Element) => boolean;
	/** Only the text: no links, controls or frames beside it. */
	textOnly: boolean;
}

/** The elements to compile, and those to skip. */
export interface Choice {
	part?: Part;
	skip?: (element: Element) => boolean;
}

/** Compiles the body of a page into regions: walk, ids, budgets, in this order. Ids do not depend on budgets. */
export function compileRegions(document: Document, ids: IdMaker, budget: SomBudget, choice: Choice): SomRegion[] {
	const compiler = new Compiler(document, ids, budget, choice);
	compiler.run();
	return compiler.finish();
}

/** A region while it is filled. */
interface OpenRegion {
	region: SomRegion;
	/** Paragraphs are cut as in main content. */
	isMain: boolean;
	/** Takes elements after a nested region that precedes any of our own. */
	rest?: OpenRegion;
	nested: boolean;
}

/** State at one place of the walk. */
interface Place extends Inherited {
	region: OpenRegion;
	inMain: boolean;
}

/** Inline content that will become one paragraph, and what can be acted on inside of it. */
interface Run {
	text: string;
	/** Text that no link or control carries. */
	ownText: boolean;
	index: number;
	actors: { element: Element; path: string }[];
}

const word = /[\p{L}\p{N}]/u;
const textRoles: ReadonlySet<ElementRole> = new Set([
	'heading',
	'paragraph',
	'list',
	'table',
	'image',
	'separator',
	'section',
]);
const silent: ReadonlySet<string> = new Set([
	'video',
	'audio',
	'canvas',
	'object',
	'embed',
	'map',
	'select',
	'textarea',
]);

class Compiler {
	readonly #visibility: Visibility;
	readonly #facts: Facts;
	readonly #names: Names;
	readonly #opened: OpenRegion[] = [];
	readonly #document: Document;
	readonly #ids: IdMaker;
	readonly #budget: SomBudget;
	readonly #part: Part | undefined;
	readonly #leftOut: ((element: Element) => boolean) | undefined;

	constructor(document: Document, ids: IdMaker, budget: SomBudget, choice: Choice) {
		this.#document = document;
		this.#ids = ids;
		this.#budget = budget;
		this.#part = choice.part;
		this.#leftOut = choice.skip;
		this.#visibility = readVisibility(document);
		this.#facts = readFacts(document.body, this.#visibility);
		this.#names = readNames(document.body);
	}

	run(): void {
		const state = { inMain: false, disabled: false, inert: false, inForm: false };
		if (this.#part === undefined) {
			this.#children(this.#document.body, '', { region: this.#open('content', false), ...state });
			return;
		}
		const region = this.#open('main', true);
		for (const root of this.#part.roots) {
			if (!this.#isHidden(root))
				this.#block(root, pathOf(root, this.#document.body), { region, ...state, inMain: true });
		}
	}

	finish(): SomRegion[] {
		const counts = new Map<RegionRole, number>();
		const regions: SomRegion[] = [];
		for (const { region, isMain } of this.#opened) {
			if (region.elements.length === 0) continue;
			const count = counts.get(region.role) ?? 0;
			counts.set(region.role, count + 1);
			region.id = count === 0 ? `r_${region.role}` : `r_${region.role}_${count}`;
			const text = summaryText(applyBudget(region, this.#budget, isMain));
			if (text !== undefined) {
				const id = this.#ids.element('paragraph', text, `${region.id}/summary`);
				region.elements.push({ id, role: 'paragraph', text });
			}
			regions.push(region);
		}
		return regions;
	}

	// --- regions ------------------------------------------------------------------------------------------

	#open(role: RegionRole, isMain: boolean, attributes: Partial<SomRegion> = {}): OpenRegion {
		const opened = { region: { id: '', role, ...attributes, elements: [] }, isMain, nested: false };
		this.#opened.push(opened);
		return opened;
	}

	#enterRegion(element: Element, role: RegionRole, path: string, place: Place): void {
		place.region.nested = true;
		const isMain = role === 'main';
		const region = this.#open(role, isMain, this.#regionAttributes(element, role));
		this.#children(element, path, {
			...place,
			region,
			inMain: place.inMain || isMain,
			inert: place.inert || element.attributes.inert !== undefined,
			inForm: place.inForm || element.tag === 'form',
		});
	}

	#regionAttributes(element: Element, role: RegionRole): Partial<SomRegion> {
		const { attributes: a } = element;
		const label = this.#names.labelOf(element) ?? (role === 'form' ? a.name || a.id : undefined);
		const named = label === undefined ? {} : { label: truncate(label, 200) };
		if (element.tag !== 'form') return named;
		return {
			...named,
			...(a.action !== undefined ? { action: a.action } : {}),
			...(a.method ? { method: a.method.trim().toUpperCase() } : {}),
			...(a.target ? { target: a.target } : {}),
			...(a.enctype ? { enctype: a.enctype } : {}),
			...(a.novalidate !== undefined ? { novalidate: true } : {}),
			...(a['accept-charset'] ? { accept_charset: a['accept-charset'] } : {}),
			...(a.autocomplete ? { autocomplete: a.autocomplete } : {}),
		};
	}

	/** The list that an element of this place goes to. A region that began with another one continues as `content`. */
	#target(place: Place): SomElement[] {
		const { region } = place;
		if (region.region.elements.length > 0 || !region.nested || region.region.role === 'content')
			return region.region.elements;
		region.rest ??= this.#open('content', region.isMain);
		return region.rest.region.elements;
	}

	// --- the walk -----------------------------------------------------------------------------------------

	#isHidden(element: Element): boolean {
		return (
			this.#visibility.isHidden(element) || this.#part?.skip(element) === true || this.#leftOut?.(element) === true
		);
	}

	/** The children of a container: runs of inline content become paragraphs, blocks are visited. */
	#children(element: Element, path: string, place: Place): void {
		let run: Run | undefined;
		let index = -1;
		for (const child of element.children) {
			if (child.kind === 'text') {
				if (run === undefined && child.data.trim() === '') continue;
				run ??= newRun(index + 1);
				addText(run, child.data);
				continue;
			}
			index++;
			const childPath = path === '' ? `${index}` : `${path}/${index}`;
			if (this.#isHidden(child)) {
				this.#shadow(child, element, path, place);
				continue;
			}
			if (this.#facts.isInline(child) && this.#regionOf(child, place) === undefined) {
				run ??= newRun(index);
				this.#inline(child, childPath, run);
				continue;
			}
			if (run !== undefined) this.#endRun(run, path, place);
			run = undefined;
			this.#block(child, childPath, place);
		}
		if (run !== undefined) this.#endRun(run, path, place);
	}

	#inline(element: Element, path: string, run: Run): void {
		if (element.tag === 'br') {
			run.text += ' ';
			return;
		}
		if (element.tag === 'label' && this.#names.namesControl(element)) {
			this.#controlsOf(element, path, run);
			return;
		}
		if (element.tag === 'svg' || elementRoleOf(element) !== undefined) {
			run.actors.push({ element, path });
			if (element.tag !== 'img' && element.tag !== 'svg') run.text += this.#textOf(element);
			return;
		}
		this.#inlineChildren(element, path, run, (data) => addText(run, data));
	}

	#controlsOf(label: Element, path: string, run: Run): void {
		this.#inlineChildren(label, path, run, () => {});
	}

	#inlineChildren(element: Element, path: string, run: Run, onText: (data: string) => void): void {
		let index = -1;
		for (const child of element.children) {
			if (child.kind === 'text') {
				onText(child.data);
				continue;
			}
			index++;
			if (!this.#isHidden(child)) this.#inline(child, `${path}/${index}`, run);
		}
	}

	#endRun(run: Run, path: string, place: Place): void {
		const text = normalise(run.text);
		if (run.ownText && text !== '') this.#emitText(text, `${path === '' ? '' : `${path}/`}t${run.index}`, place);
		for (const { element, path: at } of run.actors) this.#actor(element, at, place);
	}

	#block(element: Element, path: string, place: Place): void {
		const regionRole = this.#regionOf(element, place);
		if (regionRole !== undefined) {
			this.#enterRegion(element, regionRole, path, place);
			return;
		}
		if (silent.has(element.tag) && elementRoleOf(element) === undefined) return;
		const inner = element.attributes.inert === undefined ? place : { ...place, inert: true };
		const role = elementRoleOf(element);
		if (role === undefined) this.#children(element, path, inner);
		else this.#withRole(element, role, path, inner);
	}

	#regionOf(element: Element, place: Place): RegionRole | undefined {
		return this.#part === undefined ? regionRoleOf(element, this.#facts, place.inMain) : undefined;
	}

	#withRole(element: Element, role: ElementRole, path: string, place: Place): void {
		switch (role) {
			case 'paragraph':
				this.#paragraph(element, path, place);
				return;
			case 'heading':
				this.#emit(element, role, path, place, { text: this.#textOf(element) });
				this.#actorsIn(element, path, place);
				return;
			case 'list':
				this.#list(element, path, place);
				return;
			case 'table':
				this.#table(element, path, place);
				return;
			case 'group':
				this.#group(element, path, place);
				return;
			case 'details':
				this.#details(element, path, place);
				return;
			case 'section':
				if (this.#names.labelOf(element) !== undefined) this.#section(element, path, place);
				this.#children(element, path, place);
				return;
			default:
				this.#actor(element, path, place);
		}
	}

	#paragraph(element: Element, path: string, place: Place): void {
		const run = newRun(0);
		this.#inlineChildren(element, path, run, (data) => addText(run, data));
		const text = normalise(run.text);
		if (run.ownText && text !== '') this.#emit(element, 'paragraph', path, place, { text });
		for (const { element: actor, path: at } of run.actors) this.#actor(actor, at, place);
	}

	/** Links, controls and images: what is one element whatever it holds. */
	#actor(element: Element, path: string, place: Place): void {
		if (element.tag === 'svg') {
			this.#svg(element, path, place);
			return;
		}
		const role = elementRoleOf(element);
		if (role === undefined) {
			this.#children(element, path, place);
			return;
		}
		if (role === 'image') {
			if (!isDecorative(element)) this.#emit(element, role, path, place, {});
			return;
		}
		if (role === 'link' || role === 'button') {
			this.#clickable(element, role, path, place);
			return;
		}
		if (role === 'select' || role === 'textarea' || role === 'text_input' || role === 'checkbox' || role === 'radio') {
			const text =
				element.tag === 'input' || element.tag === 'select' || element.tag === 'textarea' ? '' : this.#textOf(element);
			this.#emit(element, role, path, place, { text });
			return;
		}
		if (role === 'separator' || role === 'iframe') this.#emit(element, role, path, place, {});
		else this.#withRole(element, role, path, place);
	}

	#clickable(element: Element, role: 'link' | 'button', path: string, place: Place): void {
		const heading = this.#facts.isInline(element) ? undefined : firstHeading(element);
		const text =
			element.tag === 'input'
				? (element.attributes.value ?? element.attributes.alt ?? '')
				: this.#textOf(heading ?? element) || altOf(element);
		this.#emit(element, role, path, place, { text });
		if (heading !== undefined) this.#children(element, path, place);
		else if (this.#textOf(element) !== '') this.#imagesIn(element, path, place);
	}

	#svg(element: Element, path: string, place: Place): void {
		if (element.attributes.role !== 'img') return;
		const title = element.children.find((child) => child.kind === 'element' && child.tag === 'title') as
			| Element
			| undefined;
		const name = element.attributes['aria-label'] ?? (title === undefined ? '' : this.#textOf(title, true));
		if (normalise(name) !== '')
			this.#emit(element, 'image', path, place, { attrs: { alt: truncate(normalise(name), 200) } });
	}

	#list(element: Element, path: string, place: Place): void {
		if (this.#facts.hasBlocks(element)) {
			this.#children(element, path, place);
			return;
		}
		const texts: string[] = [];
		for (const child of element.children) {
			if (child.kind !== 'element' || this.#isHidden(child)) continue;
			const text = this.#textOf(child);
			if (text !== '') texts.push(text);
		}
		if (texts.length > 0) {
			const items = texts
				.slice(0, this.#budget.maxListItems)
				.map((text) => ({ text: truncate(text, this.#budget.textMax) }));
			if (texts.length > items.length) items.push({ text: `[${texts.length - items.length} more items]` });
			this.#emit(element, 'list', path, place, { attrs: { ordered: element.tag === 'ol', items } });
		}
		this.#actorsIn(element, path, place);
	}

	#table(element: Element, path: string, place: Place): void {
		if (isLayoutTable(element, this.#facts)) {
			this.#children(element, path, place);
			return;
		}
		const attrs = tableData(
			element,
			this.#budget,
			(cell) => this.#textOf(cell),
			(part) => this.#isHidden(part),
		);
		if (attrs.headers !== undefined || attrs.rows!.length > 0) this.#emit(element, 'table', path, place, { attrs });
		this.#actorsIn(element, path, place);
	}

	#group(element: Element, path: string, place: Place): void {
		const legend = element.children.find((child) => child.kind === 'element' && child.tag === 'legend') as
			| Element
			| undefined;
		const disabled = element.tag === 'fieldset' && element.attributes.disabled !== undefined;
		const text = legend === undefined ? '' : truncate(this.#textOf(legend), this.#budget.textMax);
		const attrs: SomAttributes = { ...(text === '' ? {} : { legend: text }), ...(disabled ? { disabled: true } : {}) };
		this.#emit(element, 'group', path, place, { attrs, label: this.#names.labelOf(element) ?? text });
		this.#childrenWithout(element, legend, path, disabled ? { ...place, disabled: true } : place);
	}

	#details(element: Element, path: string, place: Place): void {
		const summary = element.children.find((child) => child.kind === 'element' && child.tag === 'summary') as
			| Element
			| undefined;
		const text = summary === undefined ? '' : truncate(this.#textOf(summary), this.#budget.textMax);
		this.#emit(element, 'details', path, place, { attrs: text === '' ? {} : { summary: text } });
		// A heading in the summary stays one: then the summary is content too.
		const isPlain = summary === undefined || !this.#facts.hasBlocks(summary);
		this.#childrenWithout(element, isPlain ? summary : undefined, path, place);
	}

	#childrenWithout(element: Element, left: Element | undefined, path: string, place: Place): void {
		if (left === undefined) this.#children(element, path, place);
		else
			this.#children(
				{ ...element, children: element.children.map((child) => (child === left ? emptied(left) : child)) },
				path,
				place,
			);
	}

	#section(element: Element, path: string, place: Place): void {
		const label = this.#names.labelOf(element)!;
		this.#emit(element, 'section', path, place, { attrs: { section_label: truncate(label, 200) }, label: '' });
	}

	/** Links, controls and images inside of an element whose text has been emitted already. */
	#actorsIn(element: Element, path: string, place: Place): void {
		if (this.#part?.textOnly) return;
		let index = -1;
		for (const child of element.children) {
			if (child.kind === 'text') continue;
			index++;
			if (this.#isHidden(child)) continue;
			const role = elementRoleOf(child);
			if (child.tag === 'svg' || role === 'image' || (role !== undefined && actionsOfRole[role] !== undefined)) {
				this.#actor(child, `${path}/${index}`, place);
			} else if (role === 'heading') this.#withRole(child, role, `${path}/${index}`, place);
			else this.#actorsIn(child, `${path}/${index}`, place);
		}
	}

	#imagesIn(element: Element, path: string, place: Place): void {
		let index = -1;
		for (const child of element.children) {
			if (child.kind === 'text') continue;
			index++;
			if (this.#isHidden(child)) continue;
			if (elementRoleOf(child) === 'image') this.#actor(child, `${path}/${index}`, place);
			else this.#imagesIn(child, `${path}/${index}`, place);
		}
	}

	/** A declarative shadow root is a template, which is hidden, yet a browser shows what is in it. */
	#shadow(template: Element, host: Element, path: string, place: Place): void {
		const mode = template.tag === 'template' ? template.attributes.shadowrootmode : undefined;
		if (mode !== 'open' && mode !== 'closed') return;
		const inside: OpenRegion = {
			region: { id: '', role: 'content', elements: [] },
			isMain: place.region.isMain,
			nested: false,
		};
		this.#children(template, `${path}/shadow`, { ...place, region: inside });
		if (inside.region.elements.length === 0) return;
		this.#emit(host, 'section', `${path}/shadow`, place, { label: '' });
		this.#target(place).at(-1)!.shadow = { mode, elements: inside.region.elements };
	}

	// --- emitting -----------------------------------------------------------------------------------------

	#emitText(text: string, path: string, place: Place): void {
		const id = this.#ids.element('paragraph', text, path);
		this.#target(place).push({ id, role: 'paragraph', text: truncate(text, this.#budget.textMax) });
	}

	#emit(
		element: Element,
		role: ElementRole,
		path: string,
		place: Place,
		given: { text?: string; label?: string; attrs?: SomAttributes },
	): void {
		if (this.#part?.textOnly && !textRoles.has(role)) return;
		const text = normalise(given.text ?? '');
		const label = given.label ?? this.#names.labelOf(element) ?? '';
		const own = attributesOf(element, role, place, this.#names.descriptionOf(element));
		const attrs = given.attrs === undefined ? own : { ...given.attrs, ...own };
		if (attrs !== undefined && element.attributes.title !== undefined)
			keepTitle(attrs, element.attributes.title, label, text);
		if (role === 'heading' && text === '') return;
		const made: SomElement = { id: this.#ids.element(role, label || text, path), role };
		if (element.attributes.id) made.html_id = element.attributes.id;
		if (text !== '') made.text = truncate(text, this.#budget.textMax);
		if (label !== '' && label !== text && label !== attrs?.alt) made.label = truncate(label, this.#budget.textMax);
		const actions = actionsOfRole[role];
		if (actions !== undefined) made.actions = [...actions];
		if (attrs !== undefined && Object.keys(attrs).length > 0) made.attrs = attrs;
		const hints = hintsOf(element.attributes.class);
		if (hints !== undefined) made.hints = hints;
		this.#target(place).push(made);
	}

	/** The visible text of an element; `raw` also reads what is never shown, such as the title of a drawing. */
	#textOf(element: Element, raw = false): string {
		const parts: string[] = [];
		this.#collectText(element, parts, raw);
		return normalise(parts.join(''));
	}

	#collectText(element: Element, parts: string[], raw: boolean): void {
		for (const child of element.children) {
			if (child.kind === 'text') parts.push(child.data);
			else if (raw || (!this.#isHidden(child) && !silent.has(child.tag))) {
				const inline = this.#facts.isInline(child) && child.tag !== 'br';
				if (!inline) parts.push(' ');
				this.#collectText(child, parts, raw);
				if (!inline) parts.push(' ');
			}
		}
	}
}

function newRun(index: number): Run {
	return { text: '', ownText: false, index, actors: [] };
}

function addText(run: Run, data: string): void {
	run.text += data;
	if (!run.ownText && word.test(data)) run.ownText = true;
}

/** A `title` is worth an attribute only when neither label nor text says the same. */
function keepTitle(attrs: SomAttributes, title: string, label: string, text: string): void {
	const plain = normalise(title);
	if (plain !== '' && plain !== label && plain !== text && plain !== attrs.alt) attrs.title = truncate(plain, 200);
}

function isDecorative(element: Element): boolean {
	const { alt, role, width, height } = element.attributes;
	if (alt !== undefined && alt.trim() === '' && element.attributes['aria-label'] === undefined) return true;
	if (role === 'presentation' || role === 'none') return true;
	return (width === '1' || width === '0') && (height === '1' || height === '0');
}

function firstHeading(element: Element): Element | undefined {
	for (const child of element.children) {
		if (child.kind === 'text') continue;
		if (/^h[1-6]$/.test(child.tag)) return child;
		const found = firstHeading(child);
		if (found !== undefined) return found;
	}
	return undefined;
}

function altOf(element: Element): string {
	for (const child of element.children) {
		if (child.kind === 'text') continue;
		const alt = child.tag === 'img' ? normalise(child.attributes.alt ?? '') : altOf(child);
		if (alt !== '') return alt;
	}
	return '';
}

/** Stands in for an element whose text is elsewhere already, so that the paths of its siblings stay the same. */
function emptied(element: Element): Node {
	return { ...element, tag: 'template', attributes: {}, children: [] };
}

/** Child indices from the body down, as ids use them (SOM-SPEC §7.1). */
function pathOf(element: Element, body: Element): string {
	const steps: number[] = [];
	for (let node = element; node !== body && node.parent !== null; node = node.parent) {
		steps.unshift(node.parent.children.filter((child) => child.kind === 'element').indexOf(node));
	}
	return steps.join('/');
}
