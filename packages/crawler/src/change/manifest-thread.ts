// A thread loads its own copy of each module, so not the whole of io.
import { serveTasks } from '@wayleave/io/threads';
import { readManifest } from './read-manifest.ts';

serveTasks(readManifest);
