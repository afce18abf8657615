package io.carillon.it.place;

import io.carillon.lab.process.Folders;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;

/**
 * Phones on JsSIP in a real Chromium that call the application {@code uas} by WSS again and again,
 * as {@code examples/browser-phones/again.mjs} has it. They end with this object. Owner: one
 * thread.
 */
public final class BrowserCallers implements AutoCloseable {
    /** How the calls are counted. */
    public static final String JSSIP = "JsSIP";

    private static final Path PHONES = Folders.root().resolve("examples/browser-phones");
    private static final long INSTALL_SECONDS = 120;
    private static final long END_SECONDS = 60;

    private final Process node;
    private final Thread reader;
    private final LongAdder made = new LongAdder();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

    private BrowserCallers(Process node) {
        this.node = node;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /** Why there can be none on this machine; null when there can. */
    public static @Nullable String missing() {
        if (find("npm") == null || find("node") == null) {
            return "no Node and npm (apt-get install nodejs npm)";
        }
        return chromium() == null
                ? "no Chromium (apt-get install chromium, or CHROMIUM names one)"
                : null;
    }

    private static @Nullable String chromium() {
        String named = System.getenv("CHROMIUM");
        return named != null ? named : find("chromium", "chromium-browser", "google-chrome");
    }

    private static @Nullable String find(String... names) {
        for (String folder : String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1)) {
            for (String name : names) {
                if (Files.isExecutable(Path.of(folder, name))) {
                    return Path.of(folder, name).toString();
                }
            }
        }
        return null;
    }

    /**
     * They begin to call.
     *
     * @param cluster its address, which stands in their Request-URIs
     * @param wss where the router takes WSS
     * @param certificate the one that it shows
     * @param many phones, each in a page of its own
     * @param folder for what the browser says
     */
    public static BrowserCallers start(
            InetSocketAddress cluster,
            InetSocketAddress wss,
            Path certificate,
            int many,
            Path folder)
            throws IOException {
        String domain = cluster.getHostString() + ":" + cluster.getPort();
        String how =
                new ObjectMapper()
                        .writeValueAsString(
                                Map.of(
                                        "server",
                                        "wss://" + wss.getHostString() + ":" + wss.getPort(),
                                        "domain",
                                        domain,
                                        "target",
                                        "sip:uas@" + domain,
                                        "key",
                                        key(certificate),
                                        "phones",
                                        many));
        ProcessBuilder command =
                new ProcessBuilder("node", "again.mjs", how)
                        .directory(PHONES.toFile())
                        .redirectError(folder.resolve("browser.log").toFile());
        command.environment().put("CHROMIUM", String.valueOf(chromium()));
        return new BrowserCallers(command.start());
    }

    /**
     * Fetches their libraries from npm where they are not there, as {@code ./dev browser-calls}
     * does.
     *
     * @param folder for what npm says
     * @throws IOException in a sentence, when that cannot be
     */
    public static void fetchLibraries(Path folder) throws IOException {
        if (Files.exists(PHONES.resolve("node_modules/.package-lock.json"))) {
            return;
        }
        ProcessBuilder command =
                new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
                        .directory(PHONES.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("npm.log").toFile());
        command.environment().put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        Process npm = command.start();
        try {
            if (!npm.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS) || npm.exitValue() != 0) {
                npm.destroy();
                throw new IOException(
                        "npm could not fetch JsSIP; its output is in " + folder.resolve("npm.log"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The SHA-256 of its public key, by which Chromium believes a certificate. */
    private static String key(Path certificate) throws IOException {
        try (var in = Files.newInputStream(certificate)) {
            byte[] key =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(in)
                            .getPublicKey()
                            .getEncoded();
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + " is no certificate", e);
        }
    }

    private void read() {
        try (BufferedReader lines = node.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("made")) {
                    made.increment();
                } else {
                    faults.add(JSSIP + ": " + line);
                }
            }
        } catch (IOException e) {
            faults.add("the browser's phones ended: " + e.getMessage());
        }
    }

    /** Each ends the call that it has, and makes no other. */
    public RestlessCallers.Calls end() throws IOException {
        node.outputWriter().close();
        try {
            if (!node.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                faults.add("a call in the browser did not end within " + END_SECONDS + " s");
            } else if (node.exitValue() != 0) {
                faults.add("the browser's phones have failed; browser.log says why");
            }
            close();
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return new RestlessCallers.Calls(Map.of(JSSIP, made.sum()), List.copyOf(faults));
    }

    @Override
    public void close() {
        node.descendants().forEach(ProcessHandle::destroy);
        node.destroy();
    }
}
