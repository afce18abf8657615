package io.carillon.grid.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link GridProcess} as its parent sees it. */
final class ChildNode implements AutoCloseable {
    /** What a node said by itself, and when, in milliseconds of the machine's clock. */
    record Event(long atMillis, String what) {}

    private final Process process;
    private final OutputStream input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();

    ChildNode(int number, Path folder, List<Integer> ports) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-XX:+UseSerialGC");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-Dlog4j2.configurationFile=log4j2-child.xml");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(GridProcess.class.getName());
        command.add(String.valueOf(number));
        command.add(folder.toString());
        ports.forEach(port -> command.add(String.valueOf(port)));
        process =
                new ProcessBuilder(command)
                        .redirectError(folder.resolve("node-" + number + ".err").toFile())
                        .start();
        input = process.getOutputStream();
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Thread.ofPlatform().daemon().start(() -> read(output));
    }

    private void read(BufferedReader output) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] words = line.split(" ", 3);
                if (words[0].equals("event")) {
                    events.add(new Event(Long.parseLong(words[1]), words[2]));
                } else if (words[0].equals("answer") || words[0].equals("ready")) {
                    answers.add(line.substring(words[0].length() + 1));
                }
            }
        } catch (IOException e) {
            answers.add("ended: " + e.getMessage());
        }
    }

    /** The next answer, the first one when the node is ready. */
    String answer() throws InterruptedException {
        String answer = answers.poll(90, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("a node does not answer");
        }
        return answer;
    }

    void tell(String line) throws IOException {
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    String ask(String line) throws Exception {
        tell(line);
        return answer();
    }

    /** Milliseconds from this instant to the first such event; -1 when there is none. */
    long millisTo(long from, String beginning) {
        return events.stream()
                .filter(event -> event.atMillis() >= from && event.what().startsWith(beginning))
                .mapToLong(event -> event.atMillis() - from)
                .findFirst()
                .orElse(-1);
    }

    /** All that the node said by itself. */
    List<Event> events() {
        return List.copyOf(events);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
