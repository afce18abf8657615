package io.carillon.examples.presence;

import java.io.Serializable;

/** A document that somebody published, and who. */
final class Publication implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Session, map and timer; measured, and rounded up. */
    private static final int BESIDE = 2048;

    final byte[] document;
    final String source;

    Publication(byte[] document, String source) {
        this.document = document;
        this.source = source;
    }

    /** What it may take: the same again is in the document that is made for watchers. */
    long bytes() {
        return 2L * document.length + BESIDE;
    }
}
