package io.carillon.it.phone;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.lab.process.Pause;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A baresip (Debian's package) on the loopback interface, driven over its control socket. What it
 * did is known from the events that it tells and from its trace of the messages; {@link #mark}
 * begins a stretch, and only what came since then counts. The events arrive on a thread of its own.
 */
final class BaresipPhone implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final Pattern TYPE = Pattern.compile("\"type\":\"(\\w+)\"");
    private static final Pattern PARAM = Pattern.compile("\"param\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    /**
     * How one is set up.
     *
     * @param port of SIP; the next one is taken too (TLS)
     * @param controlPort of its control socket
     * @param rtpPort first of twenty
     * @param transport udp or tcp
     */
    record Setup(
            String user,
            String password,
            int serverPort,
            String transport,
            int port,
            int controlPort,
            int rtpPort) {}

    private record Event(String type, String param) {}

    private final Setup setup;
    private final Path trace;
    private final Process process;
    private final List<Event> events = new ArrayList<>();
    private final Socket control;
    private int eventsBefore;
    private int traceBefore;

    private BaresipPhone(Setup setup, Path trace, Process process, Socket control) {
        this.setup = setup;
        this.trace = trace;
        this.process = process;
        this.control = control;
    }

    /**
     * Starts one; it registers at once.
     *
     * @param folder of its configuration and trace
     * @param template of its configuration
     */
    static BaresipPhone start(Path folder, Setup setup, Path template) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("config"), config(setup, template));
        Files.writeString(
                folder.resolve("accounts"),
                "<sip:%s@127.0.0.1:%d;transport=%s>;auth_user=%s;auth_pass=%s;regint=600;answermode=manual\n"
                        .formatted(
                                setup.user(),
                                setup.serverPort(),
                                setup.transport(),
                                setup.user(),
                                setup.password()));
        Files.writeString(folder.resolve("contacts"), "");
        Path trace = folder.resolve("trace.log");
        Process process =
                new ProcessBuilder("baresip", "-4", "-s", "-f", folder.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(trace.toFile())
                        .start();
        Socket control = connect(setup.controlPort(), process, trace);
        BaresipPhone phone = new BaresipPhone(setup, trace, process, control);
        Thread.ofVirtual().name("baresip " + setup.user()).start(phone::readEvents);
        return phone;
    }

    private static String config(Setup setup, Path template) throws IOException {
        return Files.readString(template)
                .replace("@PORT@", Integer.toString(setup.port()))
                .replace("@USER@", setup.user())
                .replace("@RTP@", Integer.toString(setup.rtpPort()))
                .replace("@LAST_RTP@", Integer.toString(setup.rtpPort() + 20))
                .replace("@CONTROL@", Integer.toString(setup.controlPort()));
    }

    private static Socket connect(int port, Process process, Path trace) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                return new Socket("127.0.0.1", port);
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    process.destroyForcibly();
                    throw new IOException("baresip did not start; see " + trace, e);
                }
                Pause.millis(50);
            }
        }
    }

    /** Netstrings of JSON: LENGTH:TEXT, */
    private void readEvents() {
        try {
            DataInputStream in = new DataInputStream(control.getInputStream());
            while (true) {
                int length = 0;
                for (int digit = in.readByte(); digit != ':'; digit = in.readByte()) {
                    length = 10 * length + digit - '0';
                }
                byte[] text = new byte[length];
                in.readFully(text);
                in.readByte();
                add(new String(text, UTF_8));
            }
        } catch (EOFException | SocketException e) {
            add("{\"type\":\"CLOSED\"}"); // it has ended
        } catch (IOException e) {
            throw new IllegalStateException("the control socket of baresip cannot be read", e);
        }
    }

    private void add(String json) {
        Matcher type = TYPE.matcher(json);
        if (type.find()) {
            Matcher param = PARAM.matcher(json);
            synchronized (events) {
                events.add(new Event(type.group(1), param.find() ? param.group(1) : ""));
            }
        }
    }

    String uri() {
        return "sip:" + setup.user() + "@127.0.0.1:" + setup.serverPort();
    }

    /** From here on {@link #saw} and {@link #traced} look. */
    void mark() throws IOException {
        synchronized (events) {
            eventsBefore = events.size();
        }
        traceBefore = traceText().length();
    }

    void command(String command, String params) throws IOException {
        String json =
                "{\"command\":\"" + command + "\",\"params\":\"" + params + "\",\"token\":\"t\"}";
        control.getOutputStream().write((json.length() + ":" + json + ",").getBytes(UTF_8));
    }

    void dial(BaresipPhone callee) throws IOException {
        command("dial", callee.uri());
    }

    /** Waits for an event of this type with that text in its parameter. */
    boolean saw(String type, String param) throws IOException {
        return await(() -> {
            synchronized (events) {
                return events.stream()
                        .skip(eventsBefore)
                        .anyMatch(e -> e.type().equals(type) && e.param().contains(param));
            }
        });
    }

    /** Waits for a message in the trace: its first line, and lines behind that (expressions). */
    boolean traced(String first, String... lines) throws IOException {
        return await(() -> {
            String[] messages = traceText().substring(traceBefore).split("\n(?:UDP|TCP) ");
            for (String message : messages) {
                if (has(message, first, lines)) {
                    return true;
                }
            }
            return false;
        });
    }

    private static boolean has(String message, String first, String... lines) {
        boolean all = Pattern.compile("(?m)^" + first).matcher(message).find();
        for (String line : lines) {
            all = all && Pattern.compile("(?m)^" + line).matcher(message).find();
        }
        return all;
    }

    private String traceText() throws IOException {
        return new String(Files.readAllBytes(trace), UTF_8);
    }

    /** Something that will be so. */
    private interface Condition {
        boolean holds() throws IOException;
    }

    private static boolean await(Condition condition) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Pause.millis(20);
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        try (control) {
            process.destroy();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while baresip ended", e);
        }
    }
}
