import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the manual pages (as AsciiDoc) into a folder, and the completion for bash into a file. */
class Pages {
    public static void main(String[] arguments) throws Exception {
        CommandLine carillon = new CommandLine(Class.forName("io.carillon.server.cli.Main"));
        CommandLine lab = new CommandLine(Class.forName("io.carillon.lab.Main"));
        CommandLine load = lab.getSubcommands().get("load");
        lab.getCommandSpec().removeSubcommand("load");
        for (CommandLine tool : new CommandLine[] {load, lab}) {
            String name = tool.getCommandName();
            carillon.getCommandSpec().removeSubcommand(name);
            carillon.addSubcommand(name, tool);
        }
        carillon.getCommandSpec().removeSubcommand("rehearse");
        Files.writeString(Path.of(arguments[1]), AutoComplete.bash("carillon", carillon));
        ManPageGenerator.generateManPage(
                new File(arguments[0]), null, new boolean[3], true, carillon.getCommandSpec());
    }
}
