# calibrate-contributors: cells of which it is known what the person waits for.
