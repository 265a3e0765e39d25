"""Earlier sessions of the agent: indexed, searched, listed, read, and told in a prompt."""
