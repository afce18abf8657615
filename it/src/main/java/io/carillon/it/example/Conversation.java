package io.carillon.it.example;

import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What phones say to one example: {@code examples/NAME/conversation.txt}. A line that begins with
 * {@code $} is a shell command that prepares the server, one that begins with {@code &} a SIPp that
 * stays in the background (a callee), one with {@code %} visitors of the click-to-call page who
 * connect two phones, any other a SIPp that must end well.
 *
 * @param example the example's name
 * @param folder where its scenarios are
 * @param preparations shell commands, run in the project's folder
 * @param callees arguments of the SIPps in the background
 * @param callers arguments of the SIPps that run one after the other
 * @param clicks the two phones that visitors of the page connect; empty where there is no page
 */
public record Conversation(
        String example,
        Path folder,
        List<String> preparations,
        List<List<String>> callees,
        List<List<String>> callers,
        List<String> clicks) {

    /** Where {@code carillon run} serves the pages of applications. */
    private static final int HTTP_PORT = 8080;

    /** The page's phones are on this machine. */
    static final List<String> PHONES_HERE = List.of("--param", "click-to-call.allowed=127.0.0.1");

    /**
     * @throws IOException when the file cannot be read or names no caller
     */
    public static Conversation read(Path root, String example) throws IOException {
        Path folder = root.resolve("examples").resolve(example);
        Path file = folder.resolve("conversation.txt");
        if (!Files.exists(file)) {
            throw new IOException(file + " is missing: it says how phones use the example");
        }
        Conversation read =
                new Conversation(
                        example,
                        folder,
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>());
        for (String line : Files.readAllLines(file)) {
            read.take(line.strip());
        }
        if (read.callers().isEmpty() && read.clicks().size() != 2) {
            throw new IOException(
                    file + " has no SIPp in the foreground, nor two phones behind a %");
        }
        return read;
    }

    private void take(String line) {
        if (line.startsWith("$")) {
            preparations.add(line.substring(1).strip());
        } else if (line.startsWith("%")) {
            clicks.addAll(words(line.substring(1)));
        } else if (line.startsWith("&")) {
            callees.add(words(line.substring(1)));
        } else if (!line.isEmpty() && !line.startsWith("#")) {
            callers.add(words(line));
        }
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.strip().split("\\s+"));
    }

    /** Names of the examples that have an archive to deploy, in order. */
    static List<String> examples(Path root) throws IOException {
        try (var folders = Files.list(root.resolve("examples"))) {
            return folders.filter(folder -> Files.exists(folder.resolve("conversation.txt")))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** Carillon with all examples, as {@code carillon run} without archives deploys them. */
    static ServerProcess server(Path folder, List<String> more) throws IOException {
        return CarillonLaunch.at(CarillonLaunch.USUAL_PORT)
                .http(HTTP_PORT)
                .with(PHONES_HERE)
                .with(more)
                .start(folder);
    }

    /**
     * Runs the shell commands in the project's folder.
     *
     * @throws IOException when one of them fails; the message is what it printed
     */
    void prepare(Path root) throws IOException {
        for (String command : preparations) {
            Shell.run(root, command);
        }
    }

    /**
     * Lets visitors click, in a thread of its own.
     *
     * @return how many of the calls failed
     */
    CompletableFuture<Integer> click(int rate, int calls) {
        return click(HTTP_PORT, rate, calls);
    }

    /** The same, where the pages are served at another port. */
    CompletableFuture<Integer> click(int httpPort, int rate, int calls) {
        CompletableFuture<Integer> failed = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("visitors")
                .start(() -> {
                    try {
                        failed.complete(
                                ClickLoad.run(httpPort, clicks.get(0), clicks.get(1), rate, calls));
                    } catch (IOException e) {
                        System.out.println("  the visitors: " + e.getMessage());
                        failed.complete(calls);
                    }
                });
        return failed;
    }

    /** The same with other arguments for its SIPps. */
    public Conversation with(List<List<String>> answering, List<List<String>> calling) {
        return new Conversation(example, folder, preparations, answering, calling, clicks);
    }

    /** Starts the SIPps that answer. */
    public List<Sipp> startCallees(Path logs) throws IOException {
        List<Sipp> started = new ArrayList<>();
        for (List<String> callee : callees) {
            started.add(start(logs.resolve("callee" + started.size()), callee));
        }
        return started;
    }

    /** Starts the caller of that index. */
    public Sipp startCaller(int index, Path logs, int port, List<String> more) throws IOException {
        List<String> arguments = new ArrayList<>(callers.get(index));
        if (arguments.stream().noneMatch(word -> word.matches("[^-].*:\\d+"))) {
            arguments.add("127.0.0.1:" + port);
        }
        arguments.addAll(more);
        return start(logs.resolve("caller" + index), arguments);
    }

    private Sipp start(Path logs, List<String> arguments) throws IOException {
        List<String> absolute = new ArrayList<>(arguments);
        for (int i = 0; i + 1 < absolute.size(); i++) {
            if (absolute.get(i).equals("-sf") || absolute.get(i).equals("-inf")) {
                absolute.set(i + 1, folder.resolve(absolute.get(i + 1)).normalize().toString());
            }
        }
        return Sipp.start(logs, absolute);
    }
}
