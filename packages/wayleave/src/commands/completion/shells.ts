/** The shells that completion is made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
