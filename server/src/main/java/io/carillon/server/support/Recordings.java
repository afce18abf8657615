package io.carillon.server.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** The JVM's flight recorder for a while. Any thread; the caller waits. */
final class Recordings {
    /** What is newer is kept. */
    private static final long MOST_BYTES = 24L << 20;

    /** They hold variables, arguments and command lines, and so secrets. */
    private static final List<String> WITH_SECRETS =
            List.of(
                    "jdk.InitialEnvironmentVariable",
                    "jdk.InitialSystemProperty",
                    "jdk.InitialSecurityProperty",
                    "jdk.JVMInformation",
                    "jdk.ProcessStart",
                    "jdk.SystemProcess",
                    "jdk.FileRead",
                    "jdk.FileWrite");

    private Recordings() {}

    /** The recording, as a file of the flight recorder has it. */
    static byte[] record(Duration time) throws IOException, InterruptedException {
        try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
            WITH_SECRETS.forEach(recording::disable);
            recording.setName("support");
            recording.setMaxSize(MOST_BYTES);
            recording.start();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            recording.stop();
            return bytes(recording.getStream(null, null));
        } catch (ParseException e) {
            throw new IOException("the settings of the flight recorder cannot be read", e);
        }
    }

    private static byte[] bytes(@Nullable InputStream stream) throws IOException {
        if (stream == null) {
            return new byte[0];
        }
        try (stream;
                ByteArrayOutputStream all = new ByteArrayOutputStream()) {
            stream.transferTo(all);
            return all.toByteArray();
        }
    }
}
