/** Made of `apps/dashboard/src/ui/tokens.css` by `tsx scripts/style-tokens.ts`: change it there. */
export const tokens = `:root {
color-scheme: light dark;
--page: #f7f7f5;
--surface: #ffffff;
--sunken: #f1f1ee;
--hover: #eeeeea;
--ink: #17191c;
--soft: #545a62;
--line: #e3e3de;
--line-strong: #c6c7c1;
--accent: #1f55c4;
--accent-soft: #e6edfb;
--on-accent: #ffffff;
--good: #11694a;
--good-soft: #e0f3ea;
--bad: #b3261e;
--bad-soft: #fce8e6;
--neutral: #525960;
--neutral-soft: #eceeef;
--shadow: 0 1px 2px rgb(20 22 26 / 5%), 0 2px 8px rgb(20 22 26 / 4%);
--radius: 0.75rem;
--radius-small: 0.45rem;
--sans: "Inter", ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif;
--mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
:root {
--page: #0e1012;
--surface: #16191c;
--sunken: #1b1f22;
--hover: #22272b;
--ink: #eceef0;
--soft: #a4acb5;
--line: #272c31;
--line-strong: #454c54;
--accent: #8db4ff;
--accent-soft: #1b2a47;
--on-accent: #0b1220;
--good: #6fd3a9;
--good-soft: #133326;
--bad: #ff968d;
--bad-soft: #42201d;
--neutral: #aeb6be;
--neutral-soft: #262b30;
--shadow: none;
}
}
@media print {
:root {
color-scheme: light;
--page: #ffffff;
--shadow: none;
}
}`;
