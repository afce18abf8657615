package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.StreamFramer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A stream gives the same messages, pings and faults however it is cut. The first byte says how:
 * into pieces of so many bytes, 0 into single ones.
 */
public final class StreamTarget {
    private static final MessageLimits LIMITS = MessageLimits.DEFAULT;

    private StreamTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        int piece = Math.max(1, data[0] & 0xff);
        byte[] stream = Arrays.copyOfRange(data, 1, data.length);
        List<String> whole = events(stream, stream.length);
        List<String> cut = events(stream, piece);
        Finding.unlessEqual("cut into " + piece, whole, cut);
        if (piece > 1) {
            Finding.unlessEqual("cut into 1", whole, events(stream, 1));
        }
    }

    private static List<String> events(byte[] stream, int piece) {
        List<String> events = new ArrayList<>();
        StreamFramer framer = new StreamFramer(LIMITS);
        StreamFramer.Sink sink =
                new StreamFramer.Sink() {
                    @Override
                    public void message(byte[] owned, int length) {
                        events.add("message " + Arrays.hashCode(Arrays.copyOf(owned, length)));
                    }

                    @Override
                    public void keepAlivePing() {
                        events.add("ping");
                    }

                    @Override
                    public void malformed(int status, String reason, byte[] head) {
                        events.add("malformed " + status + " " + reason);
                    }
                };
        for (int at = 0; at < stream.length; at += piece) {
            framer.feed(stream, at, Math.min(piece, stream.length - at), sink);
            // What is allocated: at most twice what came.
            if (framer.bytesBuffered() > 2L * stream.length) {
                throw new Finding("keeps more than came: " + framer.bytesBuffered());
            }
        }
        return events;
    }
}
