import { SiteKnowledge } from '../addresses/site-knowledge.ts';
import type { Frontier } from '../store/roles/frontier.ts';
import type { HostRecord } from '../store/roles/leases.ts';

/** Learned address patterns of the hosts being visited; loaded with a host, saved with its visits. */
export class KnownSites {
	readonly #frontier: Pick<Frontier, 'learned'>;
	readonly #hosts = new Map<string, { readonly id: number; readonly knowledge: SiteKnowledge }>();

	constructor(frontier: Pick<Frontier, 'learned'>) {
		this.#frontier = frontier;
	}

	async enter({ id, name }: HostRecord): Promise<SiteKnowledge> {
		const knowledge = new SiteKnowledge(await this.#frontier.learned(id));
		this.#hosts.set(name, { id, knowledge });
		return knowledge;
	}

	leave(name: string): void {
		this.#hosts.delete(name);
	}

	of(name: string): SiteKnowledge | undefined {
		return this.#hosts.get(name)?.knowledge;
	}

	/** Changes since the last call, by host number. */
	take(): Map<number, string> {
		const changed = [...this.#hosts.values()].filter(({ knowledge }) => knowledge.changed);
		return new Map(changed.map(({ id, knowledge }) => [id, knowledge.toJson()]));
	}
}
