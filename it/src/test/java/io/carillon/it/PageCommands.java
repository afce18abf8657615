package io.carillon.it;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command lines of a page, held to the commands and options that exist. Stateless. */
final class PageCommands {
    /** What is typed: code in a line, and lines in a block of code. */
    private static final Pattern CODE =
            Pattern.compile("(?ms)^[ ]*```[a-z]*\n(.*?)^[ ]*```[ ]*$|`([^`\n]+)`");

    /** The launchers by their paths anywhere, the installed one where a command begins. */
    private static final Pattern CALL =
            Pattern.compile(
                    "(?m)(?:[^ \n]*/(carillon|dev)|(?:^|(?<=[(|;&] ?))(carillon))"
                            + " ([a-z][^\n#|;&<>(]*)");

    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]*");

    private static final Pattern OPTION = Pattern.compile("--?[a-zA-Z][a-zA-Z0-9-]*");

    /** Commands of the launchers themselves, with no list of options to ask. */
    private final Set<String> shell = new TreeSet<>(Set.of("java-home"));

    private final Map<String, CommandSpec> tools = new TreeMap<>();

    PageCommands() throws IOException {
        tools.putAll(subcommands("io.carillon.server.cli.Main"));
        Map<String, CommandSpec> lab = subcommands("io.carillon.lab.Main");
        tools.put("load", lab.get("load"));
        tools.put("lab", spec("io.carillon.lab.Main"));
        tools.put("it", spec("io.carillon.it.Main"));
        CommandSpec bench = spec("io.carillon.bench.Main");
        // Acceptance runs go by their old names too.
        subcommands("io.carillon.it.Main").forEach(bench::addSubcommand);
        tools.put("bench", bench);
        tools.put("site", spec("io.carillon.it.site.SiteCommand"));
        String dev = Files.readString(Pages.ROOT.resolve("dev"));
        Matcher label = Pattern.compile("(?m)^    ([a-z][a-z| -]*)\\)$").matcher(dev);
        while (label.find()) {
            shell.addAll(Arrays.asList(label.group(1).split(" \\| ", -1)));
        }
        shell.removeAll(tools.keySet());
    }

    private static CommandSpec spec(String main) {
        return line(main).getCommandSpec();
    }

    /** The commands of a program, by its main class. */
    static CommandLine line(String main) {
        try {
            return new CommandLine(Class.forName(main));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, CommandSpec> subcommands(String main) {
        Map<String, CommandSpec> all = new TreeMap<>();
        spec(main).subcommands().forEach((name, line) -> all.put(name, line.getCommandSpec()));
        return all;
    }

    /** What a page has its reader type that no command takes: each with its line. */
    List<String> wrong(String page) {
        List<String> wrong = new ArrayList<>();
        Matcher code = CODE.matcher(page.replace("\\\n", " "));
        while (code.find()) {
            Matcher call = CALL.matcher(code.group(1) == null ? code.group(2) : code.group(1));
            while (call.find()) {
                look(call.group(3).strip(), wrong);
            }
        }
        return wrong;
    }

    private void look(String line, List<String> wrong) {
        List<String> words = List.of(line.split(" +", -1));
        String first = words.getFirst().replaceAll("[.,:]$", "");
        CommandSpec command = tools.get(first);
        if (command == null) {
            if (!shell.contains(first)) {
                wrong.add(line + ": no command " + first);
            }
            return;
        }
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            CommandLine inner = command.subcommands().get(word);
            Matcher option = OPTION.matcher(word);
            if (inner != null) {
                command = inner.getCommandSpec();
            } else if (command.name().equals("example")) {
                return; // what follows is the example's own
            } else if (option.lookingAt()) {
                OptionSpec known = command.findOption(option.group());
                if (known == null && !isHelp(option.group())) {
                    wrong.add(line + ": no option " + option.group());
                }
                boolean valueIsNext = known != null && known.arity().min() > 0;
                i += valueIsNext && option.end() == word.length() ? 1 : 0;
            } else if (takesNothingElse(command) && WORD.matcher(word).matches()) {
                wrong.add(line + ": no command " + word);
                return;
            }
        }
    }

    private static boolean isHelp(String option) {
        return option.equals("--help") || option.equals("-h");
    }

    private static boolean takesNothingElse(CommandSpec command) {
        return !command.subcommands().isEmpty() && command.positionalParameters().isEmpty();
    }
}
