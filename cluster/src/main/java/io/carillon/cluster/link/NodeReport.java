package io.carillon.cluster.link;

import java.nio.charset.StandardCharsets;

/**
 * What a process says of itself beside its health: fields with a number and a length, behind what
 * every HELLO has, so that a reader of another build leaves out those that it does not know.
 * Immutable.
 *
 * @param build the version that it runs, for people; at most {@value #MOST_BUILD} characters count
 * @param newPerSecond so much new work may be given to it each second by the one that is told; 0
 *     for any
 * @param usedPercent so much of its processors it has used lately; {@link #NOT_SAID} where it does
 *     not say
 * @param applications that it has
 */
public record NodeReport(
        String build, int newPerSecond, int usedPercent, DeployedNames applications) {
    /** It does not say how much of its processors it has used. */
    public static final int NOT_SAID = -1;

    /** Of who says nothing. */
    public static final NodeReport NONE = new NodeReport("", 0);

    private static final int MOST_BUILD = 60;
    private static final int BUILD = 1;
    private static final int NEW_PER_SECOND = 2;
    private static final int USED_PERCENT = 3;
    private static final int APPLICATIONS = 4;
    private static final int MOST_PER_SECOND = 0xFFFF;
    private static final int MOST_PERCENT = 100;

    public NodeReport {
        build = build.length() > MOST_BUILD ? build.substring(0, MOST_BUILD) : build;
        newPerSecond = Math.clamp(newPerSecond, 0, MOST_PER_SECOND);
        usedPercent = Math.clamp(usedPercent, NOT_SAID, MOST_PERCENT);
    }

    /** Of who says no more, as a router. */
    public NodeReport(String build, int newPerSecond) {
        this(build, newPerSecond, NOT_SAID, DeployedNames.UNKNOWN);
    }

    void write(FrameWriter frame) {
        byte[] text = build.getBytes(StandardCharsets.US_ASCII);
        frame.putByte(BUILD).putByte(text.length).put(text, 0, text.length);
        frame.putByte(NEW_PER_SECOND).putByte(2).putShort(newPerSecond);
        if (usedPercent != NOT_SAID) {
            frame.putByte(USED_PERCENT).putByte(1).putByte(usedPercent);
        }
        applications.write(frame, APPLICATIONS);
    }

    /** Reads up to the end of the frame; a build from before says nothing. */
    static NodeReport read(FrameReader frame) {
        String build = "";
        int perSecond = 0;
        int used = NOT_SAID;
        DeployedNames applications = DeployedNames.UNKNOWN;
        while (!frame.bad() && frame.position() < frame.end()) {
            int field = frame.readByte();
            int length = frame.readByte();
            int from = frame.position();
            if (!frame.skip(length)) {
                return NONE;
            }
            if (field == BUILD) {
                build = printable(frame.bytes(), from, length);
            } else if (field == NEW_PER_SECOND && length == 2) {
                perSecond = FrameFormat.unsignedShort(frame.bytes(), from);
            } else if (field == USED_PERCENT && length == 1) {
                used = frame.bytes()[from] & 0xFF;
            } else if (field == APPLICATIONS) {
                applications = DeployedNames.read(frame.bytes(), from, length);
            }
        }
        return new NodeReport(build, perSecond, used, applications);
    }

    private static String printable(byte[] b, int from, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = from; i < from + length; i++) {
            text.append(b[i] > ' ' && b[i] < 0x7F ? (char) b[i] : '?');
        }
        return text.toString();
    }
}
