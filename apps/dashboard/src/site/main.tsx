import './site.css';
import { mount } from '../ui/index.ts';
import { SiteView } from './site-view.tsx';

mount(<SiteView />);
