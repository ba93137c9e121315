// A thread loads its own copy of each module, so not the whole of io.
import { serveTasks } from '@wayleave/io/threads';
import { type PageSource, readPage } from './read-page.ts';
import { sendReading } from './sent-reading.ts';

serveTasks(async (source: PageSource) => sendReading(await readPage(source)));
