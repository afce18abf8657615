package io.carillon.it.attack;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** TLS connections in full, one after the other, and what is done on them. */
final class SecureFlood extends Attack {
    private final int perSecond;
    private final int sources;
    private final Conduct conduct;
    private final List<Template> templates;

    /** What is done on a connection whose handshake is over. */
    enum Conduct {
        /** Closed at once. */
        CLOSE,
        /** Held, and nothing said. */
        HOLD,
        /** Another handshake on the same connection, until the server closes. */
        AGAIN,
        /** All messages go on one connection, until the server closes it. */
        TALK,
        /** As many connections as sources, messages on each in turn, and no answer is read. */
        DEAF
    }

    /**
     * @param perSecond handshakes; where it talks, messages
     * @param sources addresses that it comes from
     */
    SecureFlood(
            String id,
            String what,
            Door door,
            int perSecond,
            int sources,
            Conduct conduct,
            List<Template> templates) {
        super(id, what, door);
        this.perSecond = perSecond;
        this.sources = sources;
        this.conduct = conduct;
        this.templates = List.copyOf(templates);
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        Deque<TlsPipe> open = new ArrayDeque<>();
        int connections = 0;
        int sent = 0;
        try {
            Pace pace = new Pace(perSecond, untilNanos);
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                for (int i = 0; i < due && System.nanoTime() - untilNanos < 0; i++, sent++) {
                    if (connects(open.size())) {
                        connect(target, connections++, open);
                    } else if (conduct == Conduct.DEAF) {
                        open.addLast(open.removeFirst());
                    }
                    TlsPipe last = open.peekLast();
                    if (last != null && !act(last, sent)) {
                        open.removeLast().close();
                    }
                }
            }
            return sent;
        } finally {
            for (TlsPipe pipe : open) {
                pipe.close();
            }
        }
    }

    private boolean connects(int open) {
        return switch (conduct) {
            case CLOSE, HOLD, AGAIN -> true;
            case TALK -> open == 0;
            case DEAF -> open < sources;
        };
    }

    /** True: the connection stays. */
    private boolean act(TlsPipe pipe, int number) {
        return switch (conduct) {
            case CLOSE -> false;
            case HOLD -> true;
            case AGAIN -> {
                for (int i = 0; i < 10 && pipe.handshake(); i++) {
                    Thread.onSpinWait();
                }
                yield false;
            }
            case TALK -> pipe.write(next(number));
            case DEAF -> pipe.push(next(number));
        };
    }

    private byte[] next(int number) {
        return templates.get(number % templates.size()).next(number);
    }

    private void connect(Target target, int number, Deque<TlsPipe> open) throws IOException {
        try {
            String version = conduct == Conduct.AGAIN ? "TLSv1.2" : "TLSv1.3";
            TlsPipe pipe = new TlsPipe(target.connection(number % sources, door()), version);
            if (pipe.handshake()) {
                open.addLast(pipe);
            } else {
                pipe.close();
            }
        } catch (ConnectException refused) {
            return; // what the server does to an attacker
        }
    }
}
