package io.carillon.it.attack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagrams at a steady rate, from one source or from many as if the sources were forged. Answers
 * are not read.
 */
final class DatagramFlood extends Attack {
    private final int perSecond;
    private final int sources;
    private final int outlives;
    private final List<Template> templates;

    DatagramFlood(String id, String what, int perSecond, int sources, List<String> texts) {
        this(id, what, perSecond, sources, texts, 0);
    }

    /**
     * @param outlives seconds for which what it began lives on
     */
    DatagramFlood(
            String id, String what, int perSecond, int sources, List<String> texts, int outlives) {
        super(id, what, Door.SIP);
        this.outlives = outlives;
        this.perSecond = perSecond;
        this.sources = sources;
        this.templates = texts.stream().map(Template::new).toList();
    }

    @Override
    int outlivesSeconds() {
        return outlives;
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        List<DatagramChannel> channels = new ArrayList<>();
        try {
            for (int i = 0; i < sources; i++) {
                channels.add(target.datagrams(i));
            }
            int sent = 0;
            Pace pace = new Pace(perSecond, untilNanos);
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                for (int i = 0; i < due; i++, sent++) {
                    Template template = templates.get(sent % templates.size());
                    channels.get(sent % sources)
                            .send(ByteBuffer.wrap(template.next(sent)), target.server());
                }
            }
            return sent;
        } finally {
            for (DatagramChannel channel : channels) {
                channel.close();
            }
        }
    }
}
