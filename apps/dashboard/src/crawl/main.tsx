import './crawl.css';
import { mount } from '../ui/index.ts';
import { CrawlView } from './crawl-view.tsx';
import { takeKey } from './key.ts';

takeKey();
mount(<CrawlView />);
