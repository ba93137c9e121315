import './studio.css';
import { mount } from '../ui/index.ts';
import { StudioPage } from './studio-view.tsx';

mount(<StudioPage />);
