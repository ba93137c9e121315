import { useState } from 'preact/hooks';
import { Section, Shell, sendJson, TextField } from '../ui/index.ts';

/** Asks for the key of the dashboard, and leads to it. */
export function SignInView() {
	const [error, setError] = useState<string>();
	const signIn = async (form: HTMLFormElement) => {
		setError(undefined);
		try {
			await sendJson('api/sign-in', { key: String(new FormData(form).get('key') ?? '').trim() });
			location.assign('./');
		} catch (cause) {
			setError(cause instanceof Error ? cause.message : String(cause));
		}
	};
	return (
		<Shell title="Sign in" subject={location.host} navigation={[]} lede="The dashboard is open to its operators.">
			<Section title="Key" note="It is in the file or variable that the gateway was started with.">
				<form
					class="form-row"
					onSubmit={(event) => {
						event.preventDefault();
						void signIn(event.currentTarget);
					}}
				>
					<TextField label="Key of the dashboard" name="key" type="password" required error={error} />
					<button type="submit" class="primary">
						Sign in
					</button>
				</form>
			</Section>
		</Shell>
	);
}
