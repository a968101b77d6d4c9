"""Starting points for strategies of one's own: `playout new-strategy GAME FILE` copies one.

A module for each game, named as the game's rules module. It holds a function `mine` for the game's
decision, or `mine_KIND` for each kind of decision, and is played, audited and compiled by the tests
as it stands.
"""
