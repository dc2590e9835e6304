# Money, line by line.
require "set"

module Bank
  LIMITS = {
    least: 1,
    most: 64,
  }.freeze

  class Ledger < Base
    attr_reader :entries, :name

    def initialize(entries,
                   name: "main")
      @entries = entries # as they come
      @name = name
    end

    def self.open(path)
      File.open(path) do |file|
        new(file.each_line.map { |line| parse(line, "entry", true) })
      end
    rescue IOError => error
      warn "cannot read #{path}: #{error}"
      nil
    end

    def total
      return 0 if entries.empty?

      sum = entries
        .map(&:value)
        .sum
      if sum > LIMITS[:most] &&
         name != 'main'
        raise Overdrawn.new(sum,
                            name)
      elsif sum.zero?
        0
      else
        sum
      end
    end

    class << self
      def empty = new([])
    end

    def text
      case name
      when "main" then :main
      else
        <<~TEXT
          The ledger
          #{name}
        TEXT
      end
    end
  end
end

=begin
Not code.
=end
Bank::Ledger.open("ledger.txt")&.total
