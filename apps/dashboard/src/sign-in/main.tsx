import { mount } from '../ui/index.ts';
import { SignInView } from './sign-in-view.tsx';

mount(<SignInView />);
