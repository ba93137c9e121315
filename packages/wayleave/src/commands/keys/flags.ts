export interface StoreFlags {
	store: string;
	json?: boolean;
}

export interface CreateFlags extends StoreFlags {
	name: string;
	scope?: string[];
	rate?: number;
	quota?: number;
	expires?: number;
}

export interface RotateFlags extends StoreFlags {
	grace: number;
}
