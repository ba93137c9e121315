import type { FileErrorCode } from './errors.ts';
import type { FileContent, FileKind, FileLimits } from './types.ts';

/** From the caller to the process, and on to the thread that reads. */
export interface FileRequest {
	readonly id: number;
	readonly kind: FileKind;
	readonly bytes: Uint8Array;
	readonly limits: FileLimits;
}

/** What reading a file has cost the process. */
export interface FileCost {
	/** Of processor time. */
	readonly seconds: number;
	/** MiB of memory of the process, at most. */
	readonly memory: number;
}

/** The other way round. */
export type FileReply =
	| { readonly type: 'ready' }
	/** A page has been read: the file may take longer. */
	| { readonly type: 'page'; readonly id: number }
	| { readonly type: 'done'; readonly id: number; readonly content: FileContent; readonly cost?: FileCost }
	| {
			readonly type: 'failed';
			readonly id: number;
			readonly code: FileErrorCode;
			readonly message: string;
			readonly cost?: FileCost;
	  };
