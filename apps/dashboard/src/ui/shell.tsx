import { type IconNode, Menu, X } from 'lucide';
import { type ComponentChildren, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { followQueryLinks } from './address.ts';
import { Icon } from './icon.tsx';

/** A link to a view. */
export interface NavigationItem {
	readonly title: string;
	/** `?view=…` stays in the page; another address loads one. */
	readonly href: string;
	readonly icon?: IconNode;
	readonly isCurrent?: boolean;
	/** A number or a mark beside the title. */
	readonly mark?: string | undefined;
}

export interface NavigationGroup {
	/** Left out for the first group. */
	readonly title?: string;
	readonly items: readonly NavigationItem[];
}

export interface ShellProps {
	/** The heading, and the title of the window. */
	readonly title: string;
	/** One sentence below the heading. */
	readonly lede?: ComponentChildren;
	/** Site, crawl or service that is shown. */
	readonly subject: string;
	readonly navigation: readonly NavigationGroup[];
	/** Controls beside the heading: period, pause, save. */
	readonly tools?: ComponentChildren;
	readonly children: ComponentChildren;
}

/** The frame of every view: navigation, heading, content. */
export function Shell({ title, lede, subject, navigation, tools, children }: ShellProps) {
	const [isOpen, setOpen] = useState(false);
	const heading = useRef<HTMLHeadingElement>(null);
	const last = useRef(title);
	useEffect(() => {
		document.title = `${title} · ${subject} · Wayleave`;
		if (last.current === title) return;
		// Another view: keyboard and screen reader go on at its heading.
		last.current = title;
		setOpen(false);
		scrollTo(0, 0);
		heading.current?.focus();
	}, [title, subject]);
	return (
		<div class="shell">
			<a class="skip" href="#main">
				Skip to the content
			</a>
			<header class="brand">
				<svg class="logo" viewBox="0 0 16 16" width="24" height="24" aria-hidden="true">
					<path d="M1 3h3l1.6 6L7 3h2l1.4 6L12 3h3l-3 10H9.3L8 8l-1.3 5H4z" />
				</svg>
				<span class="brand-name">Wayleave</span>
				<span class="subject" title={subject}>
					{subject}
				</span>
				<button
					type="button"
					hidden={navigation.length === 0}
					class="menu-button"
					aria-expanded={isOpen}
					aria-controls="navigation"
					onClick={() => setOpen(!isOpen)}
				>
					<Icon of={isOpen ? X : Menu} />
					Menu
				</button>
			</header>
			<nav
				hidden={navigation.length === 0}
				id="navigation"
				class={isOpen ? 'navigation open' : 'navigation'}
				aria-label="Views"
			>
				{navigation.map((group) => (
					<div key={group.title ?? ''} class="navigation-group">
						{group.title !== undefined && <p class="navigation-title">{group.title}</p>}
						<ul>
							{group.items.map((item) => (
								<li key={item.href}>
									<a href={item.href} aria-current={item.isCurrent ? 'page' : undefined}>
										{item.icon !== undefined && <Icon of={item.icon} />}
										<span>{item.title}</span>
										{item.mark !== undefined && <span class="mark">{item.mark}</span>}
									</a>
								</li>
							))}
						</ul>
					</div>
				))}
			</nav>
			<main id="main" class="main">
				<div class="head">
					<div class="head-text">
						<h1 ref={heading} tabIndex={-1}>
							{title}
						</h1>
						{lede !== undefined && <p class="lede">{lede}</p>}
					</div>
					{tools !== undefined && <div class="tools">{tools}</div>}
				</div>
				{children}
			</main>
		</div>
	);
}

/** A part of a view with a heading of its own. */
export function Section({
	title,
	note,
	tools,
	id,
	children,
}: {
	title: string;
	/** One sentence: what is counted, or why. */
	note?: ComponentChildren;
	tools?: ComponentChildren;
	id?: string;
	children: ComponentChildren;
}) {
	return (
		<section class="card" id={id} aria-label={title}>
			<div class="card-head">
				<div>
					<h2>{title}</h2>
					{note !== undefined && <p class="note">{note}</p>}
				</div>
				{tools !== undefined && <div class="tools">{tools}</div>}
			</div>
			{children}
		</section>
	);
}

/** Shows a view in the page that `build.ts` writes. */
export function mount(view: ComponentChildren): void {
	const place = document.getElementById('app');
	if (place === null) throw new Error('the page has no #app');
	followQueryLinks();
	place.replaceChildren();
	render(view, place);
}
