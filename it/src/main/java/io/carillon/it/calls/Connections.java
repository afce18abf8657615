package io.carillon.it.calls;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it connections}: thousands of TCP connections that say nothing or one byte a
 * second, beside calls over UDP. The calls must not notice, the server must close the connections
 * by its limits, and a registered client's idle connection must stay.
 */
@Command(
        name = "connections",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Silent and trickling TCP connections beside calls: are calls disturbed, are they closed?")
public final class Connections implements Callable<Integer> {
    private static final String TRICKLE =
            "INVITE sip:uas@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bK";

    @Option(
            names = "--silent",
            defaultValue = "10000",
            description = "connections without a whole message (${DEFAULT-VALUE})")
    private int silent;

    @Option(
            names = "--trickling",
            defaultValue = "1000",
            description = "connections with a byte a second (${DEFAULT-VALUE})")
    private int trickling;

    @Option(
            names = "--rate",
            defaultValue = "200",
            description = "calls/s over UDP (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "length of the load (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs and counts (it/target/connections-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon it connections: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path root = Folders.root();
        Path folder = Folders.results(out, "it", "connections");
        Path uas = Folders.example(root, "uas");
        SocketAddress address = new InetSocketAddress("127.0.0.1", CarillonLaunch.USUAL_PORT);
        List<SocketChannel> hostile = new ArrayList<>();
        try (ServerProcess server =
                        CarillonLaunch.at(CarillonLaunch.USUAL_PORT)
                                .http(18_080)
                                .running(uas)
                                .with(serverArguments)
                                .start(folder);
                SocketChannel registered = SocketChannel.open(address)) {
            Path calls = folder.resolve("calls");
            registered.write(ascii(register()));
            try (Sipp warm = calls(folder.resolve("warm-up"), server, 10)) {
                warm.await(60);
            }
            try (Sipp sipp = calls(calls, server, seconds)) {
                for (int i = 0; i < silent + trickling; i++) {
                    SocketChannel channel = SocketChannel.open(address);
                    channel.configureBlocking(false);
                    hostile.add(channel);
                    if (i % 2 == 0 && i < silent) {
                        channel.write(ascii("OPTIONS sip:uas@127.0.0.1 SIP/2.0\r\nVia: "));
                    }
                }
                trickle(hostile.subList(silent, hostile.size()));
                sipp.await(60);
            }
            return report(server, calls, hostile, registered);
        } finally {
            for (SocketChannel channel : hostile) {
                channel.close();
            }
        }
    }

    private Sipp calls(Path folder, ServerProcess server, int length) throws IOException {
        List<String> options =
                List.of(
                        "127.0.0.1:" + server.port(),
                        "-key",
                        "user",
                        "uas",
                        "-r",
                        Integer.toString(rate),
                        "-m",
                        Long.toString((long) rate * length),
                        "-l",
                        "1000000",
                        "-d",
                        "0",
                        "-trace_rtt",
                        "-rtt_freq",
                        "1");
        Path scenario = Folders.scenarios().resolve("uas-uac.xml");
        return Sipp.start(folder, "", scenario, 5093, options);
    }

    private void trickle(List<SocketChannel> channels) throws IOException {
        for (int second = 0; second < seconds - 5; second++) {
            byte next = (byte) TRICKLE.charAt(second % TRICKLE.length());
            for (SocketChannel channel : channels) {
                if (channel.isOpen()) {
                    send(channel, next);
                }
            }
            Pause.millis(1000);
        }
    }

    /** A byte that the server no longer takes: its end of the connection is closed. */
    private static void send(SocketChannel channel, byte next) throws IOException {
        try {
            channel.write(ByteBuffer.wrap(new byte[] {next}));
        } catch (IOException closedByServer) {
            channel.close();
        }
    }

    private static int report(
            ServerProcess server, Path calls, List<SocketChannel> hostile, SocketChannel registered)
            throws IOException {
        int open = 0;
        for (SocketChannel channel : hostile) {
            open += isOpen(channel) ? 1 : 0;
        }
        registered.configureBlocking(false);
        boolean stays = isOpen(registered);
        double[] times = Sipp.responseTimes(calls);
        Sipp.Counts counts = Sipp.counts(calls);
        System.out.println(ControlCommand.run(server, "status"));
        System.out.printf(
                "%d calls, %d failed, %d retransmissions, p99.9 %.1f ms, latest %.1f ms; of %d hostile connections %d"
                        + " still open; the registered client's connection %s%n",
                counts.succeeded() + counts.failed(),
                counts.failed(),
                counts.retransmissions(),
                times[(int) (times.length * 0.999)],
                times[times.length - 1],
                hostile.size(),
                open,
                stays ? "stays" : "was closed");
        return counts.failed() + counts.retransmissions() == 0 && open == 0 && stays ? 0 : 1;
    }

    /** Reads what has come; the end of the stream means that the server has closed. */
    private static boolean isOpen(SocketChannel channel) throws IOException {
        if (!channel.isOpen()) {
            return false;
        }
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        try {
            int read = channel.read(buffer);
            while (read > 0) {
                buffer.clear();
                read = channel.read(buffer);
            }
            return read == 0;
        } catch (IOException resetByServer) {
            return false;
        }
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String register() {
        return "REGISTER sip:127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bKidle;rport\r\n"
                + "From: <sip:idle@127.0.0.1>;tag=idle\r\nTo: <sip:idle@127.0.0.1>\r\nCall-ID: idle@bench\r\n"
                + "CSeq: 1 REGISTER\r\nMax-Forwards: 70\r\nContact: <sip:idle@127.0.0.1;transport=tcp>\r\n"
                + "Content-Length: 0\r\n\r\n";
    }
}
