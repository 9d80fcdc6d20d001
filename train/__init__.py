"""Training of hexbot's network: shards of self-play in, the weights file of the bot out."""
