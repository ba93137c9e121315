import { stringify } from 'yaml';
import type { Answers } from './answers.ts';

/** A policy file that says what was answered, with a word on everything that can be changed. */
export function policyText(answers: Answers): string {
	const { origin, searchEngines, assistants, train, store, attribution, rate, disallow, som, reportTo } = answers;
	const { manifest, trustedProxies } = answers;
	return `# The terms of this site, once, for every vocabulary that agents read.
# What each key can say: docs/policy-file.md

origin: ${quoted(origin)}

# Who may fetch what. Paths as in robots.txt: * stands for anything, a final $ for the end.
paths:
  disallow: ${list(disallow)}
  # Agents by name:
  # agents: { GPTBot: { disallow: ["/"] } }

# What may be done with pages: yes, no or ask; quote: yes, no or short-only; store: yes, no or session-only.
policy:
  crawl: yes
  read: ${assistants}
  summarise: ${assistants}
  quote: short-only
  derivative: no
  train: ${train}
  store: ${store}
  personalise: no
  monetise: no
  attribution: ${attribution}
  link-back: preferred

# Agents by what they are for. What stands here replaces the value above.
categories:
  search-indexer: ${searchEngines === 'yes' ? '{ crawl: yes, read: yes, store: yes }' : '{ crawl: no }'}
  # data-harvester: { crawl: no }
${train === 'ask' ? askText : ''}
# Requests a minute from one client. Search engines slow down by themselves, and drop pages of a site that refuses them
# for long. A limit is also announced, as Crawl-delay in robots.txt and as rate in robots2.txt.
${rate === undefined ? '# rate: { default: 60 }' : `rate: { default: ${rate} }`}
${som === 'yes' ? somText : noSomText}
# What has changed, for agents that fetch only that: /.well-known/pagedigest.json.
${manifest === 'yes' ? '' : '# '}pagedigest: { state: ./.wayleave/revisions.db }

# Paths that nobody who keeps the rules comes to: whoever does is recorded.
# honeypots: ["/api/export"]

# Reverse proxies and CDNs in front of the gateway: only these are believed when they say who the client is. header is
# the one field in which they say it: X-Forwarded-For, CF-Connecting-IP.
${trustedProxies.length > 0 ? `identity: { trustedProxies: ${list(trustedProxies)} }` : '# identity: { trustedProxies: ["10.0.0.0/8"], header: X-Forwarded-For }'}

# Where violations may be reported: an e-mail address or a URL.
reportTo: ${list(reportTo === '' ? [] : [reportTo])}

# Vocabularies beside robots.txt and robots2.txt. Each says only what it can say: docs/policy-file.md
publish: { contentUsage: true, contentSignal: true, tdmrep: true, xRobotsTag: true, llmsTxt: true }
`;
}

const askText = `
# The answer to whoever asks. Files alone cannot give it: it needs wayleave gateway.
ask:
  train: { decision: deny }
  # train: { decision: allow, scopes: ["/blog/*"], agents: ["ExampleBot"] }
  # A name that published addresses can prove has to be proven; any other is taken on trust: wayleave agents NAME
`;

const somText = `
# Pages in a cheaper form: in files beside them, and at /v1/som of the gateway (wayleave publish --gateway names it).
som: { scope: main-content }
`;

const noSomText = `
# Pages in a cheaper form: in files beside them, and at /v1/som of the gateway.
# som: { scope: main-content }
`;

function quoted(text: string): string {
	return stringify(text).trimEnd();
}

function list(values: readonly string[]): string {
	return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
