// Trains the models of src/select/ on the pages with ground truth and writes src/select/model-data.ts.
//
//   node --conditions=wayleave-source --import tsx packages/extract/scripts/train.ts [--write | --write-only] [--show FILE]
//
// The weights written are of all pages. The figures printed are of other models, trained in the same way on fewer: a
// quarter of the sites is held out from tuning and from all of these, and on the rest there are five folds by site.
// Each page is judged by a model that saw no page of its site, and each stage sees only what stages before it made of
// pages they were not trained on. `--write-only` leaves the figures out.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseHtml } from '../src/dom/parse.ts';
import { blockFeatures } from '../src/select/block-features.ts';
import { type Segments, segment } from '../src/select/blocks.ts';
import { MEASURED_TYPES, typeFeatures } from '../src/select/classify.ts';
import { collectFacts, type Facts } from '../src/select/facts.ts';
import { type Lexicon, Scale } from '../src/select/lexicon.ts';
import { pageFeatures } from '../src/select/page-features.ts';
import { type Matrix, RowWriter } from '../src/select/row-writer.ts';
import { decide } from '../src/select/select.ts';
import { joinLexicons, typeTokens } from '../src/select/type-tokens.ts';
import { label } from './align.ts';
import { type Binned, bin, fit, type Model, type Settings } from './boost.ts';
import { encodeForest, encodeLexicon, usualRanks } from './encode.ts';
import { learn, nameShares, type Shares, wordShares } from './lexicons.ts';
import { hash, loadPages, siteOf, type TruthPage } from './pages.ts';
import { interval, mean, pageF1, scoreArticles, scoreMixed } from './score.ts';

const FOLDS = 5;
/** The fold of pages that are held out, and of the models that see all the others. */
const HELD = -1;
/** No page is in this one: its models see all pages, and are written. */
const ALL = -2;

interface Sample {
	page: TruthPage;
	fold: number;
	segments: Segments;
	facts: Facts;
	labels: Float64Array;
	names: Shares;
	words: Shares;
	tokens: ReadonlySet<string>;
	typeRow: Float32Array;
	types: number[];
	features: Matrix;
	probabilities: number[];
}

const env = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** How much pages count whose truth another extractor drafted. */
const DRAFTED = env('DRAFTED', 0.4);
/** The article set is small beside the mixed one. */
const ARTICLE = env('ARTICLE', 2.5);
const OTHER = env('OTHER', 1.6);
const MOST_BLOCKS = env('BLOCKS', 300);
const settings: Settings = {
	trees: env('TREES', 400),
	leaves: env('LEAVES', 24),
	rate: env('RATE', 0.05),
	minWeight: env('MINW', 5),
	lambda: 5,
	features: env('FEATURES', 0.2),
	rows: env('ROWS', 0.35),
	seed: 1,
};
const typeSettings: Settings = {
	...settings,
	trees: 150,
	leaves: 6,
	minWeight: 1,
	lambda: 2,
	features: 0.25,
	rows: 0.6,
};

const writesOnly = process.argv.includes('--write-only');
const writes = writesOnly || process.argv.includes('--write');

const started = Date.now();
const say = (...parts: unknown[]): void => console.log(`[${((Date.now() - started) / 1000).toFixed(0)}s]`, ...parts);

function prepare(page: TruthPage): Sample {
	const document = parseHtml(page.html());
	const segments = segment(document.body, document.styles);
	const facts = collectFacts(document, page.url);
	const labels = label(segments.blocks, page.text);
	return {
		page,
		fold: page.heldOut ? HELD : hash(`fold:${siteOf(page)}`) % FOLDS,
		segments,
		facts,
		labels,
		names: nameShares(segments, labels),
		words: wordShares(segments, labels),
		tokens: typeTokens(segments, facts),
		typeRow: new Float32Array(0),
		types: [],
		features: { rows: 0, width: 0, data: new Float32Array(0) },
		probabilities: [],
	};
}

interface Lexicons {
	readonly names: Lexicon;
	readonly words: Lexicon;
}

const lexiconsOf = (samples: readonly Sample[]): Lexicons => ({
	names: learn(
		samples.map((sample) => sample.names),
		5,
		1200,
	),
	words: learn(
		samples.map((sample) => sample.words),
		8,
		1500,
	),
});

const typeLexiconsOf = (samples: readonly Sample[]): Lexicon[] =>
	MEASURED_TYPES.map((type) =>
		learn(
			samples.map((sample) => new Map([...sample.tokens].map((token) => [token, sample.page.type === type ? 1 : 0]))),
			6,
			300,
		),
	);

interface Table {
	data: Binned;
	/** The first row of each sample. */
	start: number[];
	labels: Float64Array;
	weights: Float64Array;
}

/** Rows that end with what is the same for all of them. */
function withCommon({ rows, width, data }: Matrix, common: readonly number[]): Matrix {
	const all = new RowWriter(rows * (width + common.length));
	const last = Float32Array.from(common);
	for (let row = 0; row < rows; row++) {
		all.addFrom(data, row * width, width);
		all.addAll(last);
	}
	return all.finish(rows);
}

/** All blocks of all pages as rows of one table, binned once for all folds. */
function tableOf(all: readonly Sample[]): Table {
	const start: number[] = [];
	let n = 0;
	for (const { features } of all) {
		start.push(n);
		n += features.rows;
	}
	const rows: Float32Array[] = [];
	const labels = new Float64Array(n);
	const weights = new Float64Array(n);
	for (const { page, segments, features, labels: own } of all) {
		const raw = segments.blocks.map(({ size }) => Math.min(size.words, 150) ** 0.6 + 0.3);
		const sum = raw.reduce((total, weight) => total + weight, 0);
		const scale = (weightOf(page) * 100) / sum;
		for (let i = 0; i < features.rows; i++) {
			labels[rows.length] = own[i]!;
			weights[rows.length] = raw[i]! * scale;
			rows.push(features.data.subarray(i * features.width, (i + 1) * features.width));
		}
	}
	return { data: bin(n, all[0]!.features.width, (i) => rows[i]!), start, labels, weights };
}

/** The article set is small beside the mixed one, and that has few pages that are not articles. */
function weightOf(page: TruthPage): number {
	if (page.set === 'article') return ARTICLE;
	return (page.independent ? 1 : DRAFTED) * (page.type === 'article' ? 1 : OTHER);
}

/** First on all pages, which is the model to ship, then without each fold: every page is judged by a model that never saw it. */
function trainBlocks(): void {
	const { data, start, labels, weights } = tableOf(samples);
	for (let fold = ALL; fold < FOLDS; fold++) {
		if (fold === ALL && !writes) continue;
		const train: number[] = [];
		samples.forEach((sample, s) => {
			if (!isSeen(sample, fold)) return;
			// Pages of thousands of blocks teach no more than others.
			const step = Math.max(1, sample.features.rows / MOST_BLOCKS);
			for (let i = 0; i < sample.features.rows; i += step) train.push(start[s]! + Math.floor(i));
		});
		const others = samples.flatMap((sample, s) =>
			sample.fold === fold ? Array.from(sample.labels, (_, i) => start[s]! + i) : [],
		);
		const { model, probabilities } = fit(
			data,
			Int32Array.from(train),
			Int32Array.from(others),
			labels,
			weights,
			settings,
		);
		samples.forEach((sample, s) => {
			if (sample.fold !== fold) return;
			sample.probabilities = [...probabilities.subarray(start[s]!, start[s]! + sample.features.rows)];
		});
		say('fold', fold, 'rows', train.length);
		if (fold === ALL) write(model);
		if (fold === ALL && writesOnly) return;
	}
	reportUnseen();
	report('labels, all', samples, (sample) => [...sample.labels]);
}

function reportUnseen(): void {
	report('held out', held, (sample) => sample.probabilities);
	report('folds', training, (sample) => sample.probabilities);
	report('both', samples, (sample) => sample.probabilities);
	for (const set of ['article', 'mixed'] as const) {
		const f1 = (list: readonly Sample[]): number[] =>
			list
				.filter(({ page }) => page.set === set && page.independent)
				.map((sample) => pageF1(set, sample.page.text, outcome(sample, sample.probabilities)));
		say(set, 'folds less held out, 95 % interval', interval(f1(training), f1(held)));
	}
}

/** The middle value of each feature, of all blocks. */
function middles(): number[] {
	const all = samples.map(({ features }) => features);
	const count = all.reduce((sum, { rows }) => sum + rows, 0);
	return Array.from({ length: all[0]!.width }, (_, feature) => {
		const values = new Float32Array(count);
		let at = 0;
		for (const { rows, width, data } of all)
			for (let row = 0; row < rows; row++) values[at++] = data[row * width + feature]!;
		return values.sort()[count >> 1]!;
	});
}

function write(blocks: Model): void {
	const data = {
		names: encodeLexicon(lexicons.names),
		words: encodeLexicon(lexicons.words),
		typeWords: typeLexicons.map(encodeLexicon),
		types: typeModels.map(encodeForest),
		usual: usualRanks(blocks, middles()).join(' '),
		blocks: encodeForest(blocks),
	};
	const file = fileURLToPath(new URL('../src/select/model-data.ts', import.meta.url));
	const head =
		'// Written by scripts/train.ts: weights learned from pages with known content. Not for editing by hand.\n';
	writeFileSync(file, `${head}export const modelData = ${JSON.stringify(data, null, '\t')} as const;\n`);
	say('wrote', Math.round(JSON.stringify(data).length / 1024), 'KiB');
}

function outcome({ segments, types }: Sample, p: readonly number[]): string {
	const keep = decide(segments, p, types);
	return segments.blocks
		.filter((_, i) => keep[i])
		.map((block) => block.text)
		.join('\n');
}

function report(title: string, samples: readonly Sample[], pick: (sample: Sample) => number[]): void {
	const article = samples.filter((sample) => sample.page.set === 'article');
	const a = scoreArticles(article.map((sample) => ({ truth: sample.page.text, found: outcome(sample, pick(sample)) })));
	const types = new Map<string, number[]>(MEASURED_TYPES.map((type) => [type, []]));
	for (const sample of samples) {
		if (sample.page.set !== 'mixed' || !sample.page.independent) continue;
		types.get(sample.page.type)!.push(scoreMixed(sample.page.text, outcome(sample, pick(sample))).f1);
	}
	const f = (value: number): string => value.toFixed(4);
	say(
		`${title}: article F ${f(a.f1)} P ${f(a.precision)} R ${f(a.recall)} | mixed ${f(mean([...types.values()].flat()))} macro ${f(mean([...types.values()].map(mean)))} |`,
		[...types].map(([type, list]) => `${type} ${mean(list).toFixed(3)}`).join(' '),
	);
}

const samples = [...loadPages('article'), ...loadPages('mixed')].map(prepare);
const training = samples.filter((sample) => sample.fold !== HELD);
/** Whether the models of a fold are trained on this page. */
const isSeen = (sample: Sample, fold: number): boolean =>
	fold === ALL || (sample.fold !== HELD && sample.fold !== fold);
const seenBy = (fold: number): Sample[] => samples.filter((sample) => isSeen(sample, fold));
const inFold = (fold: number): Sample[] => samples.filter((sample) => sample.fold === fold);
const held = inFold(HELD);
say('pages', samples.length, 'held out', held.length);

let lexicons: Lexicons = { names: new Map(), words: new Map() };
let typeLexicons: Lexicon[] = [];
let typeModels: Model[] = [];
for (let fold = FOLDS - 1; fold >= ALL; fold--) {
	typeLexicons = typeLexiconsOf(seenBy(fold).filter((sample) => sample.page.set === 'mixed'));
	const joined = joinLexicons(typeLexicons);
	for (const sample of inFold(fold)) {
		sample.typeRow = Float32Array.from(
			typeFeatures(sample.segments, sample.facts, joined, pageFeatures(sample.segments, sample.facts)),
		);
	}
}
const mixed = samples.filter((sample) => sample.page.set === 'mixed');
const typeTable = bin(samples.length, samples[0]!.typeRow.length, (i) => samples[i]!.typeRow);
for (let fold = FOLDS - 1; fold >= ALL; fold--) {
	const train = Int32Array.from(
		mixed.filter((sample) => isSeen(sample, fold)).map((sample) => samples.indexOf(sample)),
	);
	const others = Int32Array.from(inFold(fold).map((sample) => samples.indexOf(sample)));
	const fits = MEASURED_TYPES.map((type) => {
		const labels = Float64Array.from(samples, (sample) => (sample.page.type === type ? 1 : 0));
		return fit(typeTable, train, others, labels, new Float64Array(samples.length).fill(1), typeSettings);
	});
	samples.forEach((sample, i) => {
		if (sample.fold !== fold) return;
		const raw = fits.map(({ probabilities }) => probabilities[i]!);
		const sum = raw.reduce((total, value) => total + value, 0);
		sample.types = raw.map((value) => value / sum);
	});
	typeModels = fits.map(({ model }) => model);
}
const guess = ({ types }: Sample): string => MEASURED_TYPES[types.indexOf(Math.max(...types))]!;
for (const [name, list] of [
	['folds', training],
	['held out', held],
] as const) {
	const own = list.filter((sample) => mixed.includes(sample));
	say('page type right,', name, mean(own.map((sample) => (guess(sample) === sample.page.type ? 1 : 0))).toFixed(3));
}
for (let fold = FOLDS - 1; fold >= ALL; fold--) {
	lexicons = lexiconsOf(seenBy(fold));
	const scales = { names: new Scale(lexicons.names), words: new Scale(lexicons.words) };
	for (const sample of inFold(fold)) {
		const page = [...pageFeatures(sample.segments, sample.facts), ...sample.types];
		sample.features = withCommon(blockFeatures(sample.segments, sample.facts, scales), page);
	}
}
say('features', samples[0]!.features.width);
trainBlocks();

const at = process.argv.indexOf('--show');
if (at > 0) {
	const pages = samples.map((sample) => {
		const keep = decide(sample.segments, sample.probabilities, sample.types);
		return {
			...{ ...sample.page, held: sample.fold === HELD, guess: guess(sample), types: sample.types },
			truth: sample.page.text,
			blocks: sample.segments.blocks.map((block, i) => ({
				text: block.text,
				words: block.size.words,
				tag: block.box.element.tag,
				hidden: block.box.hidden,
				label: sample.labels[i],
				p: sample.probabilities[i],
				keep: keep[i],
			})),
		};
	});
	writeFileSync(process.argv[at + 1]!, JSON.stringify(pages));
}
