import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Choice, Empty, Loaded, Notice, Section, useResource } from '../ui/index.ts';
import type { DocumentPage, ShownVersion, SourcePage } from './data.ts';
import { Diff } from './diff.tsx';
import { Markdown } from './markdown.tsx';
import { Facts, When } from './parts.tsx';

/** The document of a page beside its source, and the difference from the document before. */
export function DocumentParts({ url }: { url: string }) {
	const address = new URLSearchParams({ url });
	const document = useResource<DocumentPage>(`api/document?${address}`);
	return <Loaded of={document}>{(page) => <Parts page={page} />}</Loaded>;
}

function Parts({ page }: { page: DocumentPage }) {
	const { versions, withheld, hasSource, url } = page;
	const [current, before] = versions;
	if (withheld !== undefined)
		return (
			<Notice tone="warn" title="The document is not shown.">
				<p>{withheld}</p>
			</Notice>
		);
	if (current === undefined)
		return (
			<Section title="Document">
				<Empty title="The store keeps no document of this page: the site does not allow it, or it was pruned." />
			</Section>
		);
	return (
		<div class="stack">
			{before !== undefined && <Changed current={current} before={before} />}
			<div class="columns">
				<Current version={current} />
				<Source url={url} hasSource={hasSource} />
			</div>
		</div>
	);
}

function Changed({ current, before }: { current: ShownVersion; before: ShownVersion }) {
	return (
		<Section
			title="Changes since the document before"
			note={
				<>
					From <When at={before.fetchedAt} /> to <When at={current.fetchedAt} />, line by line.
				</>
			}
			id="diff"
		>
			{current.title !== before.title && (
				<p>
					Title: <del>{before.title}</del> <ins>{current.title}</ins>
				</p>
			)}
			<Diff before={before.markdown} after={current.markdown} />
		</Section>
	);
}

const forms = { page: 'As a page', text: 'As Markdown' } as const;

function Current({ version }: { version: ShownVersion }) {
	const [form, setForm] = useState<keyof typeof forms>('page');
	return (
		<Section
			title="Document"
			note={version.title}
			tools={<Choice label="Form of the document" options={forms} value={form} onChange={setForm} />}
		>
			{version.isCut && <p class="soft">The page shows the beginning of a long document.</p>}
			<ScrollBox name="document" label="Text of the document">
				{form === 'page' ? <Markdown text={version.markdown} /> : <pre>{version.markdown}</pre>}
			</ScrollBox>
		</Section>
	);
}

function Source({ url, hasSource }: { url: string; hasSource: boolean }) {
	const address = hasSource ? `api/source?${new URLSearchParams({ url })}` : undefined;
	const source = useResource<SourcePage>(address);
	if (!hasSource)
		return (
			<Section title="Source">
				<Empty title="The store keeps documents, not their sources.">
					<p>
						Crawl with <code>--warc FILE.warc.gz</code> to keep both.
					</p>
				</Empty>
			</Section>
		);
	return (
		<Section title="Source" note="The response as it was archived, as text.">
			<Loaded of={source}>{(page) => <SourceText page={page} />}</Loaded>
		</Section>
	);
}

function SourceText({ page }: { page: SourcePage }) {
	const { source, reason } = page;
	if (source === undefined) return <Empty title={`Not available: ${reason}.`} />;
	return (
		<>
			<details>
				<summary>
					Status {source.status}, {source.headers.length} header fields
				</summary>
				<Facts
					facts={source.headers.map(([name, value], at) => [
						`${name}${'\u200b'.repeat(at)}`,
						<code key={name}>{value}</code>,
					])}
				/>
			</details>
			{source.isCut && <p class="soft">The page shows the beginning of a long source.</p>}
			<ScrollBox name="source" label="Text of the source">
				<pre>{source.text}</pre>
			</ScrollBox>
		</>
	);
}

/** A box of limited height; the keyboard reaches it, so that it can be scrolled. */
function ScrollBox({ name, label, children }: { name: string; label: string; children: ComponentChildren }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
		<section class={`scroll ${name}`} tabIndex={0} aria-label={label}>
			{children}
		</section>
	);
}
