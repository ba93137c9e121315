import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { HtmlHead } from '../html.ts';
import { plainText } from './join.ts';
import { isHeading } from './style.ts';
import type { Block } from './types.ts';

/** Titles that programs write, and people do not. */
const noTitle =
	/^(?:untitled|title|document\d*|microsoft (?:word|powerpoint) - .*|.*\.(?:docx?|pptx?|pdf|tex|html?|odt|indd|qxd))$/i;

/** What a PDF says about itself (ISO 32000-1 §14.3): its information dictionary, then its XMP packet. */
export async function headOf(pdf: PDFDocumentProxy, blocks: readonly Block[]): Promise<HtmlHead> {
	const { info, metadata } = await pdf.getMetadata().catch(() => ({ info: {}, metadata: null }));
	const fields = info as Record<string, unknown>;
	const text = (value: unknown): string | undefined => {
		const given = Array.isArray(value) ? value.join(', ') : value;
		return typeof given === 'string' && given.trim() !== '' ? given.trim().slice(0, 2000) : undefined;
	};
	const xmp = (name: string): unknown => metadata?.get(name) as unknown;
	const stated = [text(xmp('dc:title')), text(fields.Title)].find(
		(title) => title !== undefined && !noTitle.test(title),
	);
	const first = blocks.find(isHeading);
	return {
		title: stated ?? (first === undefined ? undefined : plainText(first.content).trim()),
		language: languageTag(text(fields.Language) ?? text(xmp('dc:language'))),
		authors: authorsOf(xmp('dc:creator'), text(fields.Author)),
		description: text(fields.Subject) ?? text(xmp('dc:description')),
		keywords: text(fields.Keywords) ?? text(xmp('pdf:keywords')),
		published: dateOf(text(fields.CreationDate)),
		modified: dateOf(text(fields.ModDate)),
	};
}

function authorsOf(list: unknown, field: string | undefined): string[] {
	if (Array.isArray(list)) return list.filter((name): name is string => typeof name === 'string' && name.trim() !== '');
	const given = typeof list === 'string' && list.trim() !== '' ? list : field;
	return given === undefined ? [] : given.split(/\s*;\s*/).filter((name) => name !== '');
}

const languageTag = (tag: string | undefined): string | undefined =>
	tag !== undefined && /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(tag) ? tag.replaceAll('_', '-') : undefined;

/** `D:20261201090255+01'00'` (ISO 32000-1 §7.9.4) as ISO 8601. */
export function dateOf(date: string | undefined): string | undefined {
	const [, year, month, day, hour, minute, second = '00', zone, zoneHour, zoneMinute = '00'] =
		/^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?([Z+-])?(\d\d)?'?(\d\d)?/.exec(date ?? '') ?? [];
	if (year === undefined || Number(month ?? 1) > 12 || Number(day ?? 1) > 31) return undefined;
	const days = [year, month, day].filter((part) => part !== undefined).join('-');
	if (day === undefined || hour === undefined || minute === undefined) return days;
	const offset =
		zone === undefined ? '' : zone === 'Z' || zoneHour === undefined ? 'Z' : `${zone}${zoneHour}:${zoneMinute}`;
	return `${days}T${hour}:${minute}:${second}${offset === '+00:00' ? 'Z' : offset}`;
}
